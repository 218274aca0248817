using System.Globalization;
using System.Text;

namespace NzbDav.Library.Export;

/// <summary>
/// The record of the files that exports made in a folder: <c>.nzbdav-export/manifest</c>, an append-only log of lines. Each file is claimed
/// there before it appears, so that an export never takes a foreign file for its own; a claim on a missing file is harmless. Holds the
/// folder's lock. Lookups may run concurrently; only one caller at a time may change it.
/// </summary>
internal sealed class ExportManifest : IDisposable
{
    /// <summary>Our own folder inside the exported one.</summary>
    public const string FolderName = ".nzbdav-export";

    private const string Header = "nzbdav-export 1";

    /// <summary>When opened, the log is rewritten if its obsolete lines outnumber the live ones by more than this.</summary>
    private const int MostLitter = 1_000;

    /// <summary>Buffer size. None, so that closing the file does not retry a failed write.</summary>
    private const int Unbuffered = 0;

    private readonly Dictionary<string, ManifestEntry> _entries;
    private readonly FileStream _lock;
    private readonly FileStream _log;
    private readonly StringBuilder _lines = new();

    private ExportManifest(FileStream @lock, FileStream log, Dictionary<string, ManifestEntry> entries) =>
        (_lock, _log, _entries) = (@lock, log, entries);

    /// <summary>All entries, by path.</summary>
    public IEnumerable<KeyValuePair<string, ManifestEntry>> All => _entries;

    /// <summary>True if a manifest exists: the folder was exported to before.</summary>
    public static bool IsIn(string folder) => File.Exists(Path.Combine(folder, FolderName, "manifest"));

    /// <summary>Opens the manifest of a folder, or creates it.</summary>
    /// <exception cref="IOException">Another export holds the lock, the manifest is damaged, or the folder cannot be written.</exception>
    public static ExportManifest Open(string folder)
    {
        var own = Path.Combine(folder, FolderName);
        Directory.CreateDirectory(own);
        FileStream claim;
        try
        {
            claim = new FileStream(Path.Combine(own, "lock"), FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
        }
        catch (IOException e)
            when (e is not (DirectoryNotFoundException or FileNotFoundException) && e.HResult is 11 or 35 or unchecked((int)0x80070020))
        {
            throw new IOException($"Another export works in {folder}: wait for it, or turn off the setting that keeps it in step.", e);
        }

        try
        {
            return Read(claim, Path.Combine(own, "manifest"));
        }
        catch
        {
            claim.Dispose();
            throw;
        }
    }

    /// <summary>The entry of a path; null: the path is not ours.</summary>
    public ManifestEntry? Find(string path) => _entries.GetValueOrDefault(path);

    /// <summary>Claims a file or a link.</summary>
    public void Claim(string path, ManifestEntry entry)
    {
        _entries[path] = entry;
        Append(_lines, path, entry);
    }

    /// <summary>Claims a folder.</summary>
    public void ClaimFolder(string path, int wanted) => Claim(path, new ManifestEntry { LastPlannedRun = wanted });

    /// <summary>Removes a claim.</summary>
    public void Release(string path)
    {
        if (_entries.Remove(path))
            _lines.Append("- ").Append(path).Append('\n');
    }

    /// <summary>Writes the new lines to the log. They are on the disk after the next sync.</summary>
    public void Save()
    {
        if (_lines.Length == 0)
            return;
        _log.Write(Encoding.UTF8.GetBytes(_lines.ToString()));
        _log.Flush();
        _lines.Clear();
    }

    public void Dispose()
    {
        _log.Dispose();
        _lock.Dispose();
    }

    private static ExportManifest Read(FileStream claim, string path)
    {
        var bytes = File.Exists(path) ? File.ReadAllBytes(path) : [];

        // Ignore a last line that a crash cut off.
        var end = bytes.AsSpan().LastIndexOf((byte)'\n') + 1;
        var entries = new Dictionary<string, ManifestEntry>(StringComparer.Ordinal);
        var count = Parse(bytes.AsSpan(0, end), entries, path);
        var isLittered = count > (2 * entries.Count) + MostLitter;
        if (end > 0 && !isLittered)
        {
            var log = new FileStream(path, FileMode.Open, FileAccess.Write, FileShare.Read, Unbuffered);
            log.SetLength(end);
            log.Seek(0, SeekOrigin.End);
            return new ExportManifest(claim, log, entries);
        }

        var lines = new StringBuilder(Header).Append('\n');
        foreach (var (name, entry) in entries)
            Append(lines, name, entry);
        var fresh = path + ".new";
        using (var file = new FileStream(fresh, FileMode.Create, FileAccess.Write))
        {
            file.Write(Encoding.UTF8.GetBytes(lines.ToString()));
            file.Flush(flushToDisk: true);
        }

        File.Move(fresh, path, overwrite: true);
        return new ExportManifest(claim, new FileStream(path, FileMode.Append, FileAccess.Write, FileShare.Read, Unbuffered), entries);
    }

    private static int Parse(ReadOnlySpan<byte> text, Dictionary<string, ManifestEntry> entries, string path)
    {
        var lines = 0;
        while (!text.IsEmpty)
        {
            var end = text.IndexOf((byte)'\n');
            var line = Encoding.UTF8.GetString(text[..end]);
            text = text[(end + 1)..];
            var isGood = lines++ == 0 ? line == Header : line.Length > 2 && line[1] == ' ' && TryParseLine(line, entries);
            if (!isGood)
                throw new IOException(
                    $"{path} is damaged in line {lines}. Remove it: the next export adopts the files in the folder that are right.");
        }

        return lines;
    }

    private static bool TryParseLine(string line, Dictionary<string, ManifestEntry> entries)
    {
        var rest = line.AsSpan(2);
        switch (line[0])
        {
            case '-':
                entries.Remove(rest.ToString());
                return true;
            case 'd':
                entries[rest.ToString()] = new ManifestEntry();
                return true;
        }

        // FORM ID SIZE HASH NEXT PATH, numbers in hexadecimal; NEXT is 0 if nothing is about to replace the file. PATH may contain blanks.
        if (FormOf(line[0]) is not { } form || !TryNumber(ref rest, out var id) || !TryNumber(ref rest, out var size)
            || !TryNumber(ref rest, out var hash) || !TryNumber(ref rest, out var next) || rest.IsEmpty)
            return false;
        entries[rest.ToString()] = new ManifestEntry
        { Form = form, Id = (long)id, Size = (int)size, Hash = hash, Next = next == 0 ? null : next };
        return true;
    }

    private static bool TryNumber(scoped ref ReadOnlySpan<char> rest, out ulong number)
    {
        number = 0;
        var blank = rest.IndexOf(' ');
        if (blank <= 0 || !ulong.TryParse(rest[..blank], NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out number))
            return false;
        rest = rest[(blank + 1)..];
        return true;
    }

    private static ExportForm? FormOf(char letter) => letter switch
    {
        's' => ExportForm.Address,
        'l' => ExportForm.Link,
        'n' => ExportForm.Details,
        _ => null,
    };

    private static void Append(StringBuilder lines, string path, ManifestEntry entry)
    {
        if (entry.Form is not { } form)
        {
            lines.Append("d ").Append(path).Append('\n');
            return;
        }

        var letter = form == ExportForm.Address ? 's' : form == ExportForm.Link ? 'l' : 'n';
        lines.Append(CultureInfo.InvariantCulture, $"{letter} {entry.Id:x} {entry.Size:x} {entry.Hash:x} {entry.Next ?? 0:x} {path}\n");
    }
}

/// <summary>A file, link or folder that an export made.</summary>
internal sealed class ManifestEntry
{
    /// <summary>Null for a folder.</summary>
    public ExportForm? Form { get; init; }

    /// <summary>Id of the file in the tree.</summary>
    public long Id { get; init; }

    /// <summary>Length of its content in bytes.</summary>
    public int Size { get; init; }

    /// <summary>Hash of its content.</summary>
    public ulong Hash { get; init; }

    /// <summary>Hash of the content that was about to replace it; null: no replacement was under way.</summary>
    public ulong? Next { get; init; }

    /// <summary>Number of the last run whose plan contained it.</summary>
    public int LastPlannedRun { get; set; }
}

/// <summary>
/// 64-bit FNV-1a, to check that a small file is unchanged since we wrote it. Detects accidental changes only: an attacker could change the
/// manifest too.
/// </summary>
internal static class SmallHash
{
    public static ulong Of(ReadOnlySpan<byte> bytes)
    {
        var hash = 14695981039346656037UL;
        foreach (var one in bytes)
            hash = unchecked((hash ^ one) * 1099511628211UL);
        return hash;
    }
}
