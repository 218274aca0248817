namespace NzbDav.Host.About;

/// <summary>Third-party software that ships with the program.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Version">The version that ships.</param>
/// <param name="Licence">Its licence, as an SPDX expression.</param>
/// <param name="Url">Its web page or source.</param>
internal sealed record LicenceBody(string Name, string Version, string Licence, string? Url);
