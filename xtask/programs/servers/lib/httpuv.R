# The server of httpuv.js. Its argument is the port.
library(httpuv)
port <- as.integer(commandArgs(trailingOnly = TRUE)[1])
running <- TRUE
respond <- function(body) list(status = 200L, headers = list("Content-Type" = "text/plain"), body = body)
app <- list(
  call = function(request) {
    if (request$REQUEST_METHOD == "POST") return(respond(request$rook.input$read()))
    if (request$PATH_INFO == "/stop") {
      running <<- FALSE
      return(respond("stopping"))
    }
    respond(paste("you asked for", request$PATH_INFO))
  },
  onWSOpen = function(socket) {
    socket$onMessage(function(binary, message) socket$send(toupper(message)))
  }
)
server <- startServer("127.0.0.1", port, app)
while (running) service(100)
# The response is sent by the thread of the loop.
service(200)
server$stop()
