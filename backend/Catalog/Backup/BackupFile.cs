using System.IO.Compression;
using System.Text.Json;
using NzbDav.Catalog.Blobs;

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
            return manifest is null ? null : JsonSerializer.Deserialize(manifest, BackupJson.Default.BackupInfo)! with { Name = Path.GetFileName(path), Size = new FileInfo(path).Length };
        }
        catch (Exception e) when (e is IOException or InvalidDataException or JsonException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>The blobs that belong to it.</summary>
    public static List<BlobHash> BlobsOf(string path)
    {
        using var zip = ZipFile.OpenRead(path);
        return [.. Lines(zip, CatalogBackup.BlobListEntry)!.Select(BlobHash.Parse)];
    }

    /// <summary>The reconstructed articles that belong to it; null: it was made by a version that kept none.</summary>
    /// <exception cref="InvalidDataException">The list holds a name that is not that of an article.</exception>
    public static IReadOnlyList<string>? PatchesOf(string path)
    {
        using var zip = ZipFile.OpenRead(path);
        return PatchesOf(zip);
    }

    /// <inheritdoc cref="PatchesOf(string)"/>
    public static IReadOnlyList<string>? PatchesOf(ZipArchive zip)
    {
        var names = Lines(zip, CatalogBackup.PatchListEntry);
        return names?.Find(static name => !BackupPatches.IsName(name)) is { } odd ? throw new InvalidDataException($"its list of patches holds the name {odd}") : names;
    }

    /// <summary>Writes a list into a backup.</summary>
    public static void WriteLines(ZipArchive zip, string entry, IEnumerable<string> lines)
    {
        using var list = new StreamWriter(zip.CreateEntry(entry, CompressionLevel.Fastest).Open());
        foreach (var line in lines)
            list.Write(line + "\n");
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
