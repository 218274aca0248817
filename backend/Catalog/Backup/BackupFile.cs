using System.IO.Compression;
using System.Text.Json;
using NzbDav.Catalog.Blobs;
using NzbDav.Content.Checksums;

namespace NzbDav.Catalog.Backup;

/// <summary>Reads the description of a backup from its .zip without restoring it.</summary>
internal static class BackupFile
{
    /// <summary>The manifest; null if the file is not a backup or cannot be read.</summary>
    public static BackupInfo? Describe(string path)
    {
        try
        {
            using var zip = ZipFile.OpenRead(path);
            using var manifest = zip.GetEntry(CatalogBackup.ManifestEntry)?.Open();
            return manifest is not null && JsonSerializer.Deserialize(manifest, BackupJson.Default.BackupInfo) is { } info
                ? info with { Name = Path.GetFileName(path), Size = new FileInfo(path).Length } : null;
        }
        catch (Exception e) when (e is IOException or InvalidDataException or JsonException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>The lists of everything that belongs to a backup; null if the file is not a backup, is damaged or cannot be read.</summary>
    public static (IReadOnlyList<BlobHash> Blobs, IReadOnlyList<string> Patches)? TryReadLists(string path)
    {
        if (Describe(path) is null)
            return null;
        try
        {
            using var zip = ZipFile.OpenRead(path);
            return IsIntact(zip, CatalogBackup.BlobListEntry) && IsIntact(zip, CatalogBackup.PatchListEntry)
                ? (BlobsOf(zip), PatchesOf(zip) ?? []) : null;
        }
        catch (Exception e) when (e is IOException or InvalidDataException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>The blobs that belong to a backup.</summary>
    /// <exception cref="InvalidDataException">The list is missing or damaged.</exception>
    public static IReadOnlyList<BlobHash> BlobsOf(string path)
    {
        using var zip = ZipFile.OpenRead(path);
        return BlobsOf(zip);
    }

    /// <summary>The reconstructed articles that belong to a backup; null: an older version made it, which stored none.</summary>
    /// <exception cref="InvalidDataException">The list holds a name that is not valid for an article.</exception>
    public static IReadOnlyList<string>? PatchesOf(string path)
    {
        using var zip = ZipFile.OpenRead(path);
        return PatchesOf(zip);
    }

    /// <inheritdoc cref="PatchesOf(string)"/>
    public static IReadOnlyList<string>? PatchesOf(ZipArchive zip)
    {
        var names = Lines(zip, CatalogBackup.PatchListEntry);
        return names?.Find(static name => !BackupPatches.IsName(name)) is { } odd
            ? throw new InvalidDataException($"its list of patches holds the name {odd}") : names;
    }

    /// <summary>Writes a list into a backup.</summary>
    public static void WriteLines(ZipArchive zip, string entry, IEnumerable<string> lines)
    {
        using var list = new StreamWriter(zip.CreateEntry(entry, CompressionLevel.Fastest).Open());
        foreach (var line in lines)
            list.Write(line + "\n");
    }

    private static List<BlobHash> BlobsOf(ZipArchive zip)
    {
        var names = Lines(zip, CatalogBackup.BlobListEntry) ?? throw new InvalidDataException("it has no list of blobs");
        return names.ConvertAll(static name => BlobHash.TryParse(name, out var hash)
            ? hash : throw new InvalidDataException($"its list of blobs holds the name {name}"));
    }

    /// <summary>
    /// False if the checksum of an entry is wrong. A flipped bit may turn one hash into another, and reading a .zip does not compare
    /// checksums.
    /// </summary>
    private static bool IsIntact(ZipArchive zip, string name)
    {
        if (zip.GetEntry(name) is not { } entry)
            return true;
        using var stream = entry.Open();
        var buffer = new byte[64 << 10];
        var checksum = 0u;
        for (int read; (read = stream.Read(buffer)) > 0;)
            checksum = Crc32.Append(checksum, buffer.AsSpan(0, read));
        return checksum == entry.Crc32;
    }

    private static List<string>? Lines(ZipArchive zip, string entry)
    {
        using var stream = zip.GetEntry(entry)?.Open();
        if (stream is null)
            return null;
        using var reader = new StreamReader(stream);
        var lines = new List<string>();
        while (reader.ReadLine() is { } line)
            lines.Add(line);
        return lines;
    }
}

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

    /// <summary>The reconstructed articles that belong to the backup; null: an older version made it, which stored none.</summary>
    /// <exception cref="InvalidDataException">The list holds a name that is not valid for an article.</exception>
    public IReadOnlyList<string>? Patches =>
        _zip is not null ? BackupFile.PatchesOf(_zip) : PatchesIn(Path.Combine(_folder, CatalogBackup.PatchListEntry));

    /// <summary>Reads from an open .zip.</summary>
    public static BackupSource Of(ZipArchive zip) => new(zip, "");

    /// <summary>Reads from a folder with the extracted files.</summary>
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
        return Array.Find(names, static name => !BackupPatches.IsName(name)) is { } odd
            ? throw new InvalidDataException($"its list of patches holds the name {odd}") : names;
    }
}
