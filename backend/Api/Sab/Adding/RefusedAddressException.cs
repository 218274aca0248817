namespace NzbDav.Api.Sab;

/// <summary>An address that must not be connected to; caught where the request was made.</summary>
internal sealed class RefusedAddressException(string message) : IOException(message);
