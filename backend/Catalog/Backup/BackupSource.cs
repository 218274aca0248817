using System.IO.Compression;

namespace NzbDav.Catalog;

/// <summary>What a backup holds, whichever kind of file it is: a .zip that is open, or what came out of a .tar.zst. Owns the .zip.</summary>
internal sealed class BackupSource : IDisposable
{
    private readonly ZipArchive? _zip;
    private readonly string _folder;

    private BackupSource(ZipArchive? zip, string folder) => (_zip, _folder) = (zip, folder);

    /// <summary>True if everything has its place already.</summary>
    public bool IsExtracted => _zip is null;

    /// <summary>Names of what has no place yet.</summary>
    public IEnumerable<string> Names => _zip?.Entries.Select(static entry => entry.FullName) ?? [];

    /// <summary>The articles that were made again that belong to it; null: it was made by a version that kept none.</summary>
    /// <exception cref="InvalidDataException">The list holds what no such article is called.</exception>
    public IReadOnlyList<string>? Patches => _zip is not null ? BackupFile.PatchesOf(_zip) : PatchesIn(Path.Combine(_folder, CatalogBackup.PatchListEntry));

    /// <summary>A .zip.</summary>
    public static BackupSource Of(ZipArchive zip) => new(zip, "");

    /// <summary>A folder to which everything was written.</summary>
    public static BackupSource Extracted(string folder) => new(null, folder);

    /// <summary>Something in it; null if it is not there, or has its place already.</summary>
    public Stream? Open(string name)
    {
        if (_zip is not null)
            return _zip.GetEntry(name)?.Open();
        var path = Path.Combine(_folder, name);
        return name == CatalogBackup.ManifestEntry && File.Exists(path) ? File.OpenRead(path) : null;
    }

    public void Dispose() => _zip?.Dispose();

    private static string[]? PatchesIn(string list)
    {
        if (!File.Exists(list))
            return null;
        var names = File.ReadAllLines(list);
        return Array.Find(names, static name => !BackupPatches.IsName(name)) is { } odd ? throw new InvalidDataException($"its list of patches holds the name {odd}") : names;
    }
}
