using System.IO.Compression;

namespace NzbDav.Catalog.Backup;

/// <summary>The contents of a backup of either kind: an open .zip, or an extracted .tar.zst. Owns the .zip.</summary>
internal sealed class BackupSource : IDisposable
{
    private readonly ZipArchive? _zip;
    private readonly string _folder;

    private BackupSource(ZipArchive? zip, string folder) => (_zip, _folder) = (zip, folder);

    /// <summary>True if all files are already extracted to their places.</summary>
    public bool IsExtracted => _zip is null;

    /// <summary>Names of the entries that are not extracted yet.</summary>
    public IEnumerable<string> Names => _zip?.Entries.Select(static entry => entry.FullName) ?? [];

    /// <summary>The reconstructed articles that belong to it; null if an older version made it, which kept none.</summary>
    /// <exception cref="InvalidDataException">The list holds what no such article is called.</exception>
    public IReadOnlyList<string>? Patches => _zip is not null ? BackupFile.PatchesOf(_zip) : PatchesIn(Path.Combine(_folder, CatalogBackup.PatchListEntry));

    /// <summary>A .zip.</summary>
    public static BackupSource Of(ZipArchive zip) => new(zip, "");

    /// <summary>A folder with the extracted files.</summary>
    public static BackupSource Extracted(string folder) => new(null, folder);

    /// <summary>Opens an entry; null if it is missing or already extracted.</summary>
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
