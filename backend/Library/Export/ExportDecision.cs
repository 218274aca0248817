using System.Collections.Concurrent;

namespace NzbDav.Library.Export;

/// <summary>Determines which entries of a plan must be written. Reads the disk only where the manifest is not enough. Used once.</summary>
/// <param name="disk">The folder.</param>
/// <param name="manifest">The files and folders that exports made there.</param>
/// <param name="texts">The expected content of files.</param>
/// <param name="verify">Check each expected file on the disk too.</param>
/// <param name="run">Number of this run; marks the manifest's entries that the plan still contains.</param>
internal sealed class ExportDecision(IExportDisk disk, ExportManifest manifest, ExportTexts texts, bool verify, int run)
{
    /// <summary>Read limit for existing files, in bytes; longer than any text of ours.</summary>
    public const int MostBytes = 1 << 20;

    private readonly ConcurrentQueue<(string Path, ManifestEntry Entry)> _adopted = new();
    private int _unchanged;

    /// <summary>The entries that must be written.</summary>
    public ConcurrentQueue<PlannedWrite> Writes { get; } = new();

    /// <summary>Descriptions of obstacles, each with the number of entries that it blocks.</summary>
    public ConcurrentDictionary<string, int> Blocked { get; } = new(StringComparer.Ordinal);

    /// <summary>Number of entries that are already as planned.</summary>
    public int Unchanged => _unchanged;

    /// <summary>Compares a plan with the folder, with several workers.</summary>
    public void Make(ExportPlan plan, ParallelOptions parallel)
    {
        Decide(plan.Root);
        Parallel.ForEach(plan.Folders, parallel, Decide);
        foreach (var (path, entry) in _adopted)
            manifest.Claim(path, entry);
    }

    /// <summary>The kind of item at a folder's path. If something above it is not a folder: the kind of that.</summary>
    public DiskKind KindOf(ExportFolder folder)
    {
        if (folder.Found is { } known)
            return known;
        var found = folder.Above is not { } above
            ? DiskKind.Folder : KindOf(above) == DiskKind.Folder ? disk.Stat(folder.Path).Kind : KindOf(above);
        folder.Found = found;
        return found;
    }

    private void Decide(ExportFolder folder)
    {
        if (manifest.Find(folder.Path) is { } own)
            own.LastPlannedRun = run;
        var unchanged = 0;
        foreach (var entry in folder.Entries)
        {
            if (manifest.Find(entry.Path) is { } known)
            {
                known.LastPlannedRun = run;
                unchanged += DecideKnown(folder, entry, known) ? 1 : 0;
            }
            else
            {
                unchanged += DecideUnknown(folder, entry) ? 1 : 0;
            }
        }

        Interlocked.Add(ref _unchanged, unchanged);
    }

    /// <returns>True if the file is as planned.</returns>
    private bool DecideKnown(ExportFolder folder, ExportEntry entry, ManifestEntry known)
    {
        // The text is generated each time: that costs less than a disk access, and its inputs need no change tracking.
        var text = texts.Of(entry);
        var hash = SmallHash.Of(text);
        if (known.Next is not null || known.Form != entry.Form || known.Size != text.Length || known.Hash != hash)
            return Replace(folder, entry, known, text, hash);
        if (known.Id != entry.Id)
            _adopted.Enqueue((entry.Path, EntryFor(entry, text)));
        if (!verify)
            return true;
        var there = disk.Stat(entry.Path);
        if (there.Size == known.Size && there.Kind == (entry.Form == ExportForm.Link ? DiskKind.Link : DiskKind.File))
            return true;
        if (there.Kind == DiskKind.None)
            return Write(folder, entry, old: null);
        Block($"{entry.Path} was changed by somebody else");
        return false;
    }

    private bool Replace(ExportFolder folder, ExportEntry entry, ManifestEntry known, byte[] text, ulong hash)
    {
        var there = disk.Stat(entry.Path);
        if (there.Kind == DiskKind.None)
            return Write(folder, entry, old: null);
        var present = disk.Read(entry.Path, MostBytes) is { } bytes ? SmallHash.Of(bytes) : 0;
        if (present == hash && IsKind(entry, there))
        {
            _adopted.Enqueue((entry.Path, EntryFor(entry, text)));
            return true;
        }

        if (present == known.Hash || present == known.Next)
            return Write(folder, entry, known);
        Block($"{entry.Path} was changed by somebody else");
        return false;
    }

    private bool DecideUnknown(ExportFolder folder, ExportEntry entry)
    {
        switch (KindOf(folder))
        {
            case DiskKind.None:
                return Write(folder, entry, old: null);
            case DiskKind.Folder:
                break;
            default:
                // Name the topmost path that is not a folder.
                var at = folder;
                while (at.Above is { } above && KindOf(above) != DiskKind.Folder)
                    at = above;
                Block($"{at.Path} is no folder, and not ours");
                return false;
        }

        var there = disk.Stat(entry.Path);
        if (there.Kind == DiskKind.None)
            return Write(folder, entry, old: null);
        var text = texts.Of(entry);
        if (IsKind(entry, there) && there.Size == text.Length && disk.Read(entry.Path, MostBytes) is { } bytes
            && bytes.AsSpan().SequenceEqual(text))
        {
            // Written by an export whose manifest is gone.
            _adopted.Enqueue((entry.Path, EntryFor(entry, text)));
            return true;
        }

        Block($"{entry.Path} is there and is not ours");
        return false;
    }

    private static bool IsKind(ExportEntry entry, DiskEntry there) =>
        there.Kind == (entry.Form == ExportForm.Link ? DiskKind.Link : DiskKind.File);

    private ManifestEntry EntryFor(ExportEntry entry, byte[] text) =>
        new() { Form = entry.Form, Id = entry.Id, Size = text.Length, Hash = SmallHash.Of(text), LastPlannedRun = run };

    private bool Write(ExportFolder folder, ExportEntry entry, ManifestEntry? old)
    {
        if (KindOf(folder) is DiskKind.None or DiskKind.Folder)
            Writes.Enqueue(new PlannedWrite(folder, entry, old));
        else
            Block($"{folder.Path} is no folder, and not ours");
        return false;
    }

    private void Block(string what) => Blocked.AddOrUpdate(what, 1, static (_, count) => count + 1);
}

/// <summary>A file or link that must be written.</summary>
/// <param name="Folder">Its folder.</param>
/// <param name="Entry">The planned entry.</param>
/// <param name="Old">The file of ours that it replaces; null: there is none.</param>
internal sealed record PlannedWrite(ExportFolder Folder, ExportEntry Entry, ManifestEntry? Old)
{
    /// <summary>Its content. Generated by the worker that writes it.</summary>
    public byte[] Text { get; set; } = [];

    /// <summary>Its path in the staging folder until it is moved into place; null: it moves together with its folder.</summary>
    public string? Staged { get; set; }
}
