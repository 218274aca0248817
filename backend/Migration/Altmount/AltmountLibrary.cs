using NzbDav.Catalog.Moving;
using NzbDav.Migration.Packed;
using NzbDav.Migration.Rebuilding;
using NzbDav.Migration.Titles;

namespace NzbDav.Migration.Altmount;

/// <summary>altmount's library: a folder of .meta files, stores of .nzb files, and a database beside them.</summary>
internal sealed class AltmountLibrary : OldLibrary
{
    /// <summary>Longest .meta file. One for 100 GB with all its articles takes some 20 MB.</summary>
    private const int LongestMeta = 512 << 20;

    private readonly AltmountFolder _folder;
    private readonly AltmountConfig _config;
    private readonly string _tree;
    private readonly AltmountBook _book;

    private AltmountLibrary(AltmountFolder folder, AltmountConfig config, string tree, AltmountBook book)
    {
        _folder = folder;
        _config = config;
        _tree = tree;
        _book = book;
    }

    public override string Product => "altmount";

    public override string Version => _book.Version == 0 ? "without a database" : $"schema {_book.Version}";

    public override string Source => "altmount";

    /// <exception cref="MigrationException">There is none, it is damaged, or its version is not known.</exception>
    public static AltmountLibrary Open(string path)
    {
        var file = Path.Combine(path, "config.yaml");
        if (!File.Exists(file))
            throw new MigrationException($"{path} has no config.yaml. Name the folder that is /config in the container of altmount.");
        var folder = new AltmountFolder(path);
        var config = AltmountConfig.Read(file);
        if (folder.Find(config.MetadataPath) is not { } tree || !Directory.Exists(tree))
            throw new MigrationException(
                $"{file} names {config.MetadataPath} as the folder of the metadata (metadata.root_path), which is not below {path}. Put " +
                $"the folder there under its name, or a copy of it.");
        return new AltmountLibrary(folder, config, tree, AltmountBook.Open(folder.Find(config.DatabasePath)));
    }

    public override OldSettings ReadSettings() => _config.Settings();

    public override IEnumerable<OldTitle> ReadTitles(CancellationToken cancellationToken)
    {
        // Two passes: only after all files were read is it known which belong together, and the articles of all would not fit in memory.
        var releases = new Dictionary<string, List<(string Path, string File)>>(StringComparer.Ordinal);
        foreach (var (path, file) in AltmountTree.Find(_tree))
        {
            cancellationToken.ThrowIfCancellationRequested();
            var release = Read(path, file).Release;
            if (!releases.TryGetValue(release, out var files))
                releases[release] = files = [];
            files.Add((path, file));
        }

        foreach (var (release, files) in releases)
        {
            cancellationToken.ThrowIfCancellationRequested();
            yield return Title(release, [.. files.Select(file => Read(file.Path, file.File))]);
        }

        foreach (var title in _book.Queue(_folder))
            yield return title;
        _book.ThrowIfChanged();
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing)
            _book.Dispose();
        base.Dispose(disposing);
    }

    private static AltmountFile Read(string path, string file)
    {
        try
        {
            var meta = MetaFile.Parse(BoundedBytes.Read(file, LongestMeta));
            return new AltmountFile(path, meta, null, NzbdavIdOf(meta, file + ".id"));
        }
        catch (Exception e) when (e is InvalidDataException or IOException or UnauthorizedAccessException)
        {
            return new AltmountFile(path, null, $"its .meta file cannot be read ({e.Message.TrimEnd('.')})", null);
        }
    }

    private static Guid? NzbdavIdOf(MetaFile meta, string beside)
    {
        if (Guid.TryParse(meta.NzbdavId, out var known))
            return known;
        return File.Exists(beside) && new FileInfo(beside).Length < 256 && Guid.TryParse(File.ReadAllText(beside).Trim(), out var id)
            ? id : null;
    }

    private OldTitle Title(string release, IReadOnlyList<AltmountFile> files)
    {
        var (category, name) = PlaceOf(files[0].Path);
        var listed = files.Select(file => _book.ListedAs(file.Path)).FirstOrDefault(id => id is not null);
        var title = new OldTitle { Key = release, Name = name, Category = category, DownloadId = listed, IsListed = listed is not null };
        if (files.FirstOrDefault(file => file.Problem is not null) is { } unread)
            return title with { Refusal = $"Of '{unread.Path}' {unread.Problem}." };
        if (files.All(file => file.Meta!.Status == 3))
            return title with { Skipped = "altmount found it damaged." };
        var first = files[0].Meta!;
        var password = files.Select(file => file.Meta!).FirstOrDefault(meta => meta.Encryption != 1 && meta.Password.Length > 0)?.Password;
        var (store, problem) = first.StorePath.Length > 0 ? StoreOf(first.StorePath) : (null, null);
        var read = files.Select(file => (file.Path, Meta: file.Meta!, Segments: SegmentsOf(file.Meta!, store), file.NzbdavId)).ToArray();
        title = title with
        {
            Password = password,
            Files = [.. read.Select(file => new MovedFile(PathsOf(file.Path, file.NzbdavId), file.Path[(file.Path.LastIndexOf('/') + 1)..],
                file.Meta.Size, file.Segments is [var segment, ..] ? segment.Id : null) { Keys = _book.Keys })],
        };
        if (store is { IsInvented: false })
            return title with { OpenNzb = () => new MemoryStream(store.ToNzb(password), writable: false) };
        if (first is { StorePath: "", NzbPath.Length: > 0 } && _folder.Find(first.NzbPath) is { } kept && File.Exists(kept))
            return title with { NzbName = Path.GetFileName(kept), OpenNzb = () => BoundedBytes.Open(kept) };
        if (problem is not null)
            return title with { Refusal = problem };
        var layouts = read.Select(file => (file.Path, Result: MetaLayout.Of(file.Meta, file.Segments))).ToArray();
        if (layouts.FirstOrDefault(file => file.Result.Layout is null) is { Path: { } bad, Result.Problem: { } why })
            return title with { Refusal = $"Its .nzb was not kept, and of '{bad}' {why}." };
        var (rebuilt, refusal) = RebuiltNzb.Of([.. layouts.Select(file => (Path.GetFileName(file.Path), file.Result.Layout!))], password);
        return rebuilt is null ? title
            with
        { Refusal = refusal } : title with { IsRebuilt = true, OpenNzb = () => new MemoryStream(rebuilt, writable: false) };
    }

    private (StoreFile? Store, string? Problem) StoreOf(string path)
    {
        if (_folder.Find(path) is not { } file)
            return (null, $"The store of its articles, {path}, is not there.");
        try
        {
            return (StoreFile.Parse(BoundedBytes.Read(file, LongestMeta)), null);
        }
        catch (Exception e) when (e is InvalidDataException or IOException or UnauthorizedAccessException)
        {
            return (null, $"The store of its articles, {file}, cannot be read: {e.Message.TrimEnd('.')}.");
        }
    }

    private static IReadOnlyList<MetaSegment> SegmentsOf(MetaFile meta, StoreFile? store)
    {
        try
        {
            return store is null ? meta.Segments : meta.SegmentsIn(store);
        }
        catch (InvalidDataException)
        {
            // Reported where the articles are needed.
            return [];
        }
    }

    /// <summary>Paths that links may use: the path in the tree, and nzbdav's if the file was migrated from there.</summary>
    private static List<string> PathsOf(string path, Guid? id)
    {
        var paths = new List<string> { path };
        if (id is { } known)
        {
            var name = known.ToString("D");
            paths.Add($".ids/{name[0]}/{name[1]}/{name[2]}/{name[3]}/{name[4]}/{name}");
        }

        return paths;
    }

    /// <summary>The category and the folder of a release: from the history, or else by its place in the tree.</summary>
    private (string Category, string Name) PlaceOf(string path)
    {
        var names = path.Split('/');
        var complete = _config.CompleteFolder.Length > 0 ? _config.CompleteFolder.Split('/') : [];
        if (complete.Length > 0 && names.Length > complete.Length && names.AsSpan(0, complete.Length).SequenceEqual(complete))
            names = names[complete.Length..];
        var folders = _config.CategoryFolders;
        var depth = Enumerable.Range(1, Math.Max(0, names.Length - 1))
            .LastOrDefault(count => folders.ContainsKey(string.Join('/', names[..count])));
        if (depth == 0 && names.Length > 2)
            depth = 1;
        var category = _book.CategoryOf(path)
            ?? (depth == 0 ? "" : folders.GetValueOrDefault(string.Join('/', names[..depth])) ?? names[depth - 1]);
        var rest = names[depth..];
        return (category, rest.Length > 1 ? rest[0] : Path.GetFileNameWithoutExtension(rest[0]));
    }
}

/// <summary>A file of altmount's tree.</summary>
/// <param name="Path">From the root of the tree, without a '/' before it.</param>
/// <param name="Meta">Its .meta file; null: it cannot be read.</param>
/// <param name="Problem">Why it cannot be read, as a sentence without a full stop; null: it can.</param>
/// <param name="NzbdavId">The Guid of nzbdav's item that it came from; null: none.</param>
internal sealed record AltmountFile(string Path, MetaFile? Meta, string? Problem, Guid? NzbdavId)
{
    /// <summary>Key shared by the files of one release: its store, its .nzb, or its folder.</summary>
    public string Release => Meta is { StorePath.Length: > 0 } stored ? "store:" + stored.StorePath
        : Meta is { NzbPath.Length: > 0 } posted ? "nzb:" + posted.NzbPath
        : "folder:" + (Path.LastIndexOf('/') is > 0 and var slash ? Path[..slash] : Path);
}
