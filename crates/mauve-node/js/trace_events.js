module.exports = require('internal/stand_in')('trace_events', { getEnabledCategories() {} });
