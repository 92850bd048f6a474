// The module 'v8'. There is no V8, and no snapshot is ever built. Values are serialized in V8's format.
const { Buffer } = require('buffer');
const native = binding('serialize');

const v8 = require('internal/stand_in')('v8', {
  serialize(value) {
    require('internal/structured_clone');
    try {
      return Buffer.from(native.serialize(value, [], true).buffer);
    } catch (error) {
      throw error.name === 'DataCloneError' ? new Error(error.message) : error;
    }
  },
  deserialize(buffer) {
    require('internal/structured_clone');
    if (!ArrayBuffer.isView(buffer)) {
      throw Object.assign(new TypeError('buffer must be a TypedArray or a DataView'), { code: 'ERR_INVALID_ARG_TYPE' });
    }
    return native.deserialize(new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength), []);
  },
});
v8.startupSnapshot.isBuildingSnapshot = () => false;

module.exports = v8;
