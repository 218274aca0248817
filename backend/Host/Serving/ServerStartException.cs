namespace NzbDav.Host.Serving;

/// <summary>The server cannot start with this configuration; the message says what to do.</summary>
public sealed class ServerStartException(string message, Exception? inner = null) : Exception(message, inner);
