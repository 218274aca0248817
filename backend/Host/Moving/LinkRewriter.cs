using NzbDav.Catalog.Database;
using NzbDav.Catalog.Moving;
using NzbDav.Catalog.Tree;
using NzbDav.Library.Holding;
using NzbDav.Library.Items;
using NzbDav.Library.Links;
using NzbDav.WebDav.View;

namespace NzbDav.Host.Moving;

/// <summary>
/// Rewrites links of a library from another program's files to the files here. Each is replaced atomically. Links to anything else are
/// never touched, and no link is followed.
/// </summary>
/// <param name="aliases">The paths of the other program.</param>
/// <param name="targets">Builds the new targets.</param>
/// <param name="mounts">Where the other program's tree was mounted.</param>
/// <param name="isDry">Dry run: change nothing.</param>
internal sealed class LinkRewriter(AliasStore aliases, LinkTargets targets, IReadOnlySet<string> mounts, bool isDry)
{
    /// <summary>Bytes. Addresses are far shorter; a longer file is not a .strm file.</summary>
    private const int LongestAddress = 8192;

    private const string Address = ".strm";
    private const string Temporary = ".nzbdav-new";

    /// <summary>Number of links that were changed, or would be.</summary>
    public int Changed { get; private set; }

    /// <summary>Number of links that point elsewhere.</summary>
    public int Foreign { get; private set; }

    /// <summary>Number of links that point here already.</summary>
    public int Right { get; private set; }

    /// <summary>Links that could not be changed, and why.</summary>
    public List<string> Problems { get; } = [];

    /// <summary>Processes a folder and everything below it.</summary>
    public async Task RunAsync(DirectoryInfo folder, CancellationToken cancellationToken)
    {
        var waiting = new Stack<DirectoryInfo>([folder]);
        while (waiting.TryPop(out var next))
        {
            foreach (var entry in Entries(next))
            {
                cancellationToken.ThrowIfCancellationRequested();
                try
                {
                    if (entry.LinkTarget is { } target)
                        await LinkAsync(entry, target, cancellationToken);
                    else if (entry is DirectoryInfo below)
                        waiting.Push(below);
                    else if (entry is FileInfo file && file.Extension.Equals(Address, StringComparison.OrdinalIgnoreCase)
                        && file.Length <= LongestAddress)
                        await AddressAsync(file, cancellationToken);
                }
                catch (Exception e) when ((e is IOException or UnauthorizedAccessException) && e is not CatalogException)
                {
                    Problems.Add($"{entry.FullName}: {e.Message}");
                }
            }
        }
    }

    private FileSystemInfo[] Entries(DirectoryInfo folder)
    {
        try
        {
            return [.. folder.EnumerateFileSystemInfos("*", new EnumerationOptions { AttributesToSkip = 0, IgnoreInaccessible = false })
                .OrderBy(entry => entry.Name, StringComparer.Ordinal)];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            Problems.Add($"{folder.FullName}: {e.Message}");
            return [];
        }
    }

    private async Task LinkAsync(FileSystemInfo link, string target, CancellationToken cancellationToken)
    {
        var whole = Path.GetFullPath(target, Path.GetDirectoryName(link.FullName)!);
        if (await NewAsync(whole, targets.PathOf, cancellationToken) is not { } path)
            return;
        Changed++;
        if (isDry)
            return;
        var temporary = link.FullName + Temporary;
        File.Delete(temporary);
        File.CreateSymbolicLink(temporary, path);
        Replace(temporary, link.FullName);
    }

    private async Task AddressAsync(FileInfo file, CancellationToken cancellationToken)
    {
        var text = await File.ReadAllTextAsync(file.FullName, cancellationToken);
        var lines = text.Split('\n');
        var any = false;
        for (var i = 0; i < lines.Length; i++)
        {
            var line = lines[i].Trim();
            if (line.Length == 0 || await NewAsync(line, targets.AddressOf, cancellationToken) is not { } address)
                continue;
            lines[i] = lines[i].Replace(line, address, StringComparison.Ordinal);
            any = true;
        }

        if (!any)
            return;
        Changed++;
        if (isDry)
            return;
        var temporary = file.FullName + Temporary;
        await File.WriteAllTextAsync(temporary, string.Join('\n', lines), cancellationToken);
        if (!OperatingSystem.IsWindows())
            File.SetUnixFileMode(temporary, file.UnixFileMode);
        Replace(temporary, file.FullName);
    }

    /// <summary>The new target of a link; null if it stays as it is, which is counted.</summary>
    private async Task<string?> NewAsync(
        string target, Func<long, CancellationToken, Task<string?>> make, CancellationToken cancellationToken)
    {
        if (targets.IsOurs(target))
        {
            Right++;
            return null;
        }

        if (await MovedLink.FindAsync(aliases, target, mounts.Contains, cancellationToken) is not { } id
            || await make(id, cancellationToken) is not { } made)
        {
            Foreign++;
            return null;
        }

        return made;
    }

    private static void Replace(string temporary, string path)
    {
        try
        {
            File.Move(temporary, path, overwrite: true);
        }
        catch
        {
            File.Delete(temporary);
            throw;
        }
    }
}

/// <summary>The targets of library links to files here: the same paths and addresses as in <c>/completed-symlinks</c>.</summary>
/// <param name="tree">The files.</param>
/// <param name="options">Where the tree is mounted, and its public address.</param>
/// <param name="views">Signs addresses.</param>
internal sealed class LinkTargets(TreeStore tree, LibraryOptions options, ViewLinks views)
{
    private readonly LinkTexts _texts = new(options.MountPath, options.AddressRoot, views);

    /// <summary>True if a link points here, by a path or an address of this program.</summary>
    public bool IsOurs(string target)
    {
        if (target.Contains("://", StringComparison.Ordinal))
        {
            return options.AddressRoot.Length > 0
                && target.StartsWith(options.AddressRoot + ViewLinks.Mount + "/", StringComparison.Ordinal)
                && views.TryRead(
                    target.AsSpan(options.AddressRoot.Length + ViewLinks.Mount.Length + 1).ToString().Split('/')[0]) is not null;
        }

        var names = target.Split('/');
        return names.Length > 2 && names.Contains(".ids") && names[^1].Length == 16;
    }

    /// <summary>The path for a symbolic link; null: the file is gone.</summary>
    public async Task<string?> PathOf(long id, CancellationToken cancellationToken) =>
        await tree.ResolveAsync(id, cancellationToken) is null ? null : _texts.PathTo(id);

    /// <summary>The address for a .strm file; null: the file is gone.</summary>
    /// <exception cref="Serving.ServerStartException">This server's public address is not set.</exception>
    public async Task<string?> AddressOf(long id, CancellationToken cancellationToken)
    {
        if (await tree.ResolveAsync(id, cancellationToken) is not { } item)
            return null;
        if (options.AddressRoot.Length == 0)
            throw new Serving.ServerStartException(
                "there are .strm files to rewrite, but NzbDav__Strm__Url does not say how players reach this server: set it to an " +
                "address such as http://192.168.1.2:8080.");
        return _texts.AddressTo(id, item.Name);
    }
}
