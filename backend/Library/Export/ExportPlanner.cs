using System.Text;
using NzbDav.Catalog.Browsing;
using NzbDav.Catalog.Jobs;
using NzbDav.Library.Links;
using NzbDav.WebDav.Store;

namespace NzbDav.Library.Export;

/// <summary>Plans the contents of a library: the structure of <c>/content</c> with small files in place of the large ones.</summary>
/// <param name="outline">The tree.</param>
/// <param name="isHidden">Items that are not shown.</param>
/// <param name="options">What is exported.</param>
internal sealed class ExportPlanner(TreeOutline outline, Func<long, bool> isHidden, ExportOptions options)
{
    /// <summary>Longest path that Linux opens, in bytes, including the terminating zero (PATH_MAX).</summary>
    private const int MostPathBytes = 4096;

    private const string DetailsExtension = ".nfo";

    private readonly List<ExportFolder> _folders = [];
    private readonly List<string> _tooLong = [];
    private readonly int _rootBytes = Encoding.UTF8.GetByteCount(options.Folder) + 2;
    private int _leftOut;

    /// <summary>Makes the plan. Depends only on the tree and the options.</summary>
    public ExportPlan Make()
    {
        var root = new ExportFolder("", null);
        if (outline.Find(JobStore.ContentCollection) is { } content)
        {
            if (options.Category is not { } category)
                Fill(root, content.Id, JobStore.ContentCollection);
            else if (outline.Find(JobStore.ContentCollection, category) is { IsCollection: true } only)
                Fill(root, only.Id, $"{JobStore.ContentCollection}/{category}");
        }

        return new ExportPlan(root, _folders, _leftOut, _tooLong);
    }

    private static bool IsPlayed(string type) => type.StartsWith("video/", StringComparison.Ordinal)
        || type.StartsWith("audio/", StringComparison.Ordinal) || type == "application/vnd.rn-realmedia-vbr";

    private void Fill(ExportFolder folder, long id, string path)
    {
        var children = outline.ChildrenOf(id);
        var names = new ExportNames();
        List<(OutlineItem Item, string Beside)>? videos = null;

        // The oldest item (lowest id) chooses its name first. Folders come before files: their names are part of many paths.
        foreach (var child in children.Count < 2
            ? children : [.. children.OrderBy(static child => !child.IsCollection).ThenBy(static child => child.Id)])
        {
            if (isHidden(child.Id))
                continue;
            if (child.IsCollection)
                Descend(folder, child, names, path);
            else if (Add(folder, child, names, path) is { } beside)
                (videos ??= []).Add((child, beside));
        }

        // Last, so that an .nfo of the post itself keeps its name. Media servers look for the video's name with the extension .nfo.
        foreach (var (item, beside) in videos ?? [])
        {
            var name = Path.GetFileNameWithoutExtension(beside) + DetailsExtension;
            if (names.TryClaim(name))
                Put(folder, ExportForm.Details, name, item, path);
        }
    }

    private void Descend(ExportFolder folder, OutlineItem child, ExportNames names, string path)
    {
        var below = new ExportFolder(folder.PathOf(names.Claim(child.Name, child.Id, "")), folder);
        var place = _folders.Count;
        _folders.Add(below);
        Fill(below, child.Id, $"{path}/{child.Name}");

        // Leave out empty folders: they are not titles yet.
        if (below.Entries.Count + below.Folders.Count == 0)
            _folders.RemoveAt(place);
        else
            folder.Folders.Add(below);
    }

    /// <returns>The name of the file that gets an .nfo beside it; null: none.</returns>
    private string? Add(ExportFolder folder, OutlineItem child, ExportNames names, string path)
    {
        var type = MediaTypes.FromName(child.Name);
        var details = options.Details && type.StartsWith("video/", StringComparison.Ordinal);
        var name = child.Name;
        if (options.Links)
            Put(folder, ExportForm.Link, name = names.Claim(child.Name, child.Id, ""), child, path);
        else if (options.Addresses && IsPlayed(type))
            Put(folder, ExportForm.Address, name = AddressName(child, names), child, path);
        else if (!details)
            _leftOut++;
        else
            name = names.Claim(child.Name, child.Id, "");
        return details ? name : null;
    }

    private void Put(ExportFolder folder, ExportForm form, string name, OutlineItem child, string parent)
    {
        var whole = folder.PathOf(name);
        if (_rootBytes + (whole.Length * 3) > MostPathBytes && _rootBytes + Encoding.UTF8.GetByteCount(whole) > MostPathBytes)
            _tooLong.Add(whole);
        else
            folder.Entries.Add(new ExportEntry(child.Id, form, whole, child.Name, parent, child.CreatedTicks));
    }

    /// <summary><c>video.strm</c>, with a mark where another file has that name.</summary>
    private static string AddressName(OutlineItem child, ExportNames names)
    {
        var stem = Path.GetFileNameWithoutExtension(child.Name);
        return names.Claim(stem.Length > 0 ? stem : child.Name, child.Id, LinkNames.Address);
    }
}
