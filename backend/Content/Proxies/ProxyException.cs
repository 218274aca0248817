namespace NzbDav.Content.Proxies;

/// <summary>A proxy was reached and did not do what it was asked for. The message names the proxy, without its password, and says what to do.</summary>
/// <param name="fault">Why.</param>
/// <param name="message">In words.</param>
/// <param name="inner">What lies beneath, if anything.</param>
public sealed class ProxyException(ProxyFault fault, string message, Exception? inner = null) : IOException(message, inner)
{
    /// <summary>Why.</summary>
    public ProxyFault Fault => fault;
}
