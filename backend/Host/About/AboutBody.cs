namespace NzbDav.Host.About;

/// <summary>What runs here.</summary>
/// <param name="Version">Of the program.</param>
/// <param name="Commit">What it was built from; null: the build did not know.</param>
/// <param name="Runtime">What it runs on.</param>
/// <param name="System">The operating system.</param>
/// <param name="Started">When the process began.</param>
/// <param name="Licences">What others made that ships with it.</param>
/// <param name="Changes">What is new, latest version first.</param>
internal sealed record AboutBody(
    string Version, string? Commit, string Runtime, string System, DateTimeOffset Started, IReadOnlyList<LicenceBody> Licences, IReadOnlyList<ChangesBody> Changes);
