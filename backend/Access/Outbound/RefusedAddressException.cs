namespace NzbDav.Access.Outbound;

/// <summary>An address that must not be connected to. <see cref="HttpClient"/> wraps it; its message is for people and names the setting that allows the host.</summary>
public sealed class RefusedAddressException(string message) : IOException(message);
