using NzbDav.Arr.Resources;

namespace NzbDav.Arr.Setup;

/// <summary>What registering did.</summary>
/// <param name="Client">The definition as it was saved.</param>
/// <param name="Created">Whether it is new; else an existing one was brought up to date.</param>
/// <param name="Warnings">What the operator should look at, in words.</param>
public sealed record SetupReport(DownloadClient Client, bool Created, IReadOnlyList<string> Warnings);
