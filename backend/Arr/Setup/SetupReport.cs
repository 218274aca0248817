using NzbDav.Arr.Resources;

namespace NzbDav.Arr.Setup;

/// <summary>The result of a registration.</summary>
/// <param name="Client">The definition as it was saved.</param>
/// <param name="Created">True if it is new; false if an existing one was updated.</param>
/// <param name="Warnings">What the operator should check, as sentences.</param>
public sealed record SetupReport(DownloadClient Client, bool Created, IReadOnlyList<string> Warnings);
