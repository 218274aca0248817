namespace NzbDav.Host.Serving;

/// <summary>The server cannot start as it is configured; the message says what to do.</summary>
public sealed class ServerStartException(string message, Exception? inner = null) : Exception(message, inner);
