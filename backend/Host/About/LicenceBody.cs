namespace NzbDav.Host.About;

/// <summary>Something that others made and that ships with the program.</summary>
/// <param name="Name">What it is called.</param>
/// <param name="Version">Which version ships.</param>
/// <param name="Licence">Its licence, as an SPDX expression.</param>
/// <param name="Url">Where it is from.</param>
internal sealed record LicenceBody(string Name, string Version, string Licence, string? Url);
