namespace NzbDav.Content.Proxies;

/// <summary>A proxy was reached but did not fulfil the request. The message names the proxy, without its password, and says what to do.</summary>
/// <param name="fault">Why.</param>
/// <param name="message">For the user.</param>
/// <param name="inner">The underlying exception, if any.</param>
public sealed class ProxyException(ProxyFault fault, string message, Exception? inner = null) : IOException(message, inner)
{
    /// <summary>Why.</summary>
    public ProxyFault Fault => fault;
}
