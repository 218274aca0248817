using System.Globalization;
using System.Text;

namespace NzbDav.Library.Export;

/// <summary>
/// Brings a folder in line with a plan. New files are written below <c>.nzbdav-export/</c>, flushed by one sync, and moved into place by
/// one rename for each new folder and for each file in an existing folder. After a crash a file in the library is complete, in its old
/// version or absent. For one caller at a time.
/// </summary>
/// <param name="disk">The folder.</param>
/// <param name="manifest">The files and folders that exports made there.</param>
/// <param name="texts">The expected content of files.</param>
internal sealed class Exporter(IExportDisk disk, ExportManifest manifest, ExportTexts texts)
{
    private const string Stage = ExportManifest.FolderName + "/new";

    private int _run;
    private bool _swept;

    /// <summary>Number of writing workers. Several even with few processors: a disk handles several writes at a time.</summary>
    public int Workers { get; init; } = Math.Clamp(2 * Environment.ProcessorCount, 4, 16);

    /// <summary>Called with the name of each step before it is done. Tests end the run there.</summary>
    internal Action<string>? BeforeStep { get; init; }

    /// <summary>Runs one export.</summary>
    /// <param name="plan">The expected contents.</param>
    /// <param name="verify">Check each expected file on the disk; otherwise the manifest is trusted.</param>
    /// <param name="cancellationToken">Cancels the run; files that are already in place stay.</param>
    /// <exception cref="IOException">The folder cannot be read or written. Existing files stay complete.</exception>
    public ExportReport Run(ExportPlan plan, bool verify, CancellationToken cancellationToken)
    {
        _run++;
        if (!_swept)
            RemoveStage();
        _swept = true;
        var parallel = new ParallelOptions { MaxDegreeOfParallelism = Workers, CancellationToken = cancellationToken };
        var decision = new ExportDecision(disk, manifest, texts, verify, _run);
        decision.Make(plan, parallel);
        var made = 0;
        PlannedWrite[] writes = [.. decision.Writes];
        if (writes.Length > 0)
            made = Write(writes, decision, parallel);
        var removed = RemoveUnwanted(plan, decision, cancellationToken);
        manifest.Save();
        var replaced = writes.Count(static write => write.Old is not null);
        return new ExportReport
        {
            Created = made - replaced,
            Replaced = replaced,
            Removed = removed,
            Unchanged = decision.Unchanged,
            LeftOut = plan.LeftOut,
            TooLong = plan.TooLong,
            Blocked = decision.Blocked.Values.Sum(),
            BlockedBy = [.. decision.Blocked.Keys.Order(StringComparer.Ordinal).Take(ExportReport.MostNamed)],
        };
    }

    /// <returns>The number of files that are in place.</returns>
    private int Write(PlannedWrite[] writes, ExportDecision decision, ParallelOptions parallel)
    {
        BeforeStep?.Invoke("stage");
        disk.MakeFolder(Stage);
        var units = new StageUnits(disk, Stage, decision);
        var groups = units.Prepare(writes);
        BeforeStep?.Invoke("write");
        Parallel.ForEach(groups, parallel, group => WriteGroup(group));
        foreach (var folder in units.NewFolders)
            manifest.ClaimFolder(folder.Path, _run);
        foreach (var write in writes)
            Claim(write, isDone: write.Old is null);
        BeforeStep?.Invoke("claim");
        manifest.Save();
        BeforeStep?.Invoke("sync");
        disk.Sync();
        var count = writes.Length;
        foreach (var (from, to, folder) in units.Folders)
        {
            BeforeStep?.Invoke(to);
            if (!disk.Move(from, to, replace: false))
                count -= ReleaseTaken(
                    writes.Where(write => write.Entry.Path.StartsWith(folder.Path + "/", StringComparison.Ordinal)), to, decision);
        }

        foreach (var write in writes)
        {
            if (write.Staged is not { } staged)
                continue;
            BeforeStep?.Invoke(write.Entry.Path);
            if (!disk.Move(staged, write.Entry.Path, replace: write.Old is not null))
                count -= ReleaseTaken([write], write.Entry.Path, decision);
            else if (write.Old is not null)
                Claim(write, isDone: true);
        }

        BeforeStep?.Invoke("end");
        manifest.Save();
        RemoveStage();
        return count;
    }

    private void WriteGroup(StageGroup group)
    {
        if (group.MakesFolder)
            disk.MakeFolder(group.Folder!);
        foreach (var (write, path) in group.Writes)
        {
            write.Text = texts.Of(write.Entry);
            if (write.Entry.Form == ExportForm.Link)
                disk.WriteLink(path, Encoding.UTF8.GetString(write.Text));
            else
                disk.WriteFile(path, write.Text);
        }
    }

    /// <summary>Until its rename, a replacement is claimed with both hashes: the old content's and its own.</summary>
    private void Claim(PlannedWrite write, bool isDone)
    {
        var hash = SmallHash.Of(write.Text);
        manifest.Claim(write.Entry.Path, isDone
            ? new ManifestEntry
            {
                Form = write.Entry.Form,
                Id = write.Entry.Id,
                Size = write.Text.Length,
                Hash = hash,
                LastPlannedRun = _run,
            }
            : new ManifestEntry
            {
                Form = write.Old!.Form,
                Id = write.Old.Id,
                Size = write.Old.Size,
                Hash = write.Old.Hash,
                Next = hash,
                LastPlannedRun = _run,
            });
    }

    /// <summary>Removes the claims on files whose paths were taken by something else between the check and the rename.</summary>
    private int ReleaseTaken(IEnumerable<PlannedWrite> writes, string path, ExportDecision decision)
    {
        var lost = 0;
        foreach (var write in writes)
        {
            manifest.Release(write.Entry.Path);
            lost++;
        }

        decision.Blocked.AddOrUpdate($"{path} is there and is not ours", lost, (_, count) => count + lost);
        return lost;
    }

    private int RemoveUnwanted(ExportPlan plan, ExportDecision decision, CancellationToken cancellationToken)
    {
        var unwanted = manifest.All.Where(
            pair => pair.Value.LastPlannedRun != _run && !plan.TooLong.Contains(pair.Key, StringComparer.Ordinal))
            .ToList();
        var removed = 0;
        foreach (var (path, entry) in unwanted.Where(static pair => pair.Value.Form is not null))
        {
            cancellationToken.ThrowIfCancellationRequested();
            BeforeStep?.Invoke("remove " + path);
            if (disk.Stat(path).Kind != DiskKind.None)
            {
                var present = disk.Read(path, ExportDecision.MostBytes) is { } bytes ? SmallHash.Of(bytes) : 0;
                if (present == entry.Hash || present == entry.Next)
                {
                    disk.Remove(path);
                    removed++;
                }
                else
                {
                    decision.Blocked.TryAdd(string.Create(CultureInfo.InvariantCulture,
                        $"{path} was changed by somebody else and is left there, though its file is gone"), 1);
                }
            }

            manifest.Release(path);
        }

        // Deepest first. A folder that contains files of others stays and is no longer ours.
        foreach (var (path, _) in unwanted.Where(static pair => pair.Value.Form is null).OrderByDescending(static pair => pair.Key.Length))
        {
            disk.RemoveFolder(path);
            manifest.Release(path);
        }

        return removed;
    }

    /// <summary>Removes what an interrupted run left in the staging folder. None of it belongs to the library.</summary>
    private void RemoveStage()
    {
        if (!disk.RemoveFolder(Stage))
            disk.RemoveTree(Stage);
    }
}
