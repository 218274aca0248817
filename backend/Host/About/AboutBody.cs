namespace NzbDav.Host.About;

/// <summary>The running program.</summary>
/// <param name="Version">Version of the program.</param>
/// <param name="Commit">The commit it was built from; null: not known to the build.</param>
/// <param name="Runtime">The .NET runtime.</param>
/// <param name="System">The operating system.</param>
/// <param name="Started">When the process started.</param>
/// <param name="Licences">Third-party software that ships with it.</param>
/// <param name="Changes">The changes of each version, latest version first.</param>
internal sealed record AboutBody(
    string Version, string? Commit, string Runtime, string System, DateTimeOffset Started, IReadOnlyList<LicenceBody> Licences, IReadOnlyList<ChangesBody> Changes);
