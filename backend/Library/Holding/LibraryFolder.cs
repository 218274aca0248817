using NzbDav.Catalog.Links;
using NzbDav.Library.Links;

namespace NzbDav.Library.Holding;

/// <summary>
/// A folder of this machine in which a library keeps symbolic links and .strm files. Only the text of links is read, never what they lead
/// to. Thread-safe.
/// </summary>
public sealed class LibraryFolder(string folder, HoldStore holds) : ILibrarySource
{
    /// <summary>Largest .strm file that is read, in bytes. Addresses are far shorter.</summary>
    private const int LongestAddress = 8192;

    /// <summary>Most links that are resolved from library to library. More means a cycle.</summary>
    private const int MostSteps = 8;

    /// <inheritdoc/>
    public string Name => folder;

    /// <inheritdoc/>
    public string? Folder => folder;

    /// <inheritdoc/>
    public string Prefix => folder + "/";

    /// <inheritdoc/>
    public string? Category => null;

    /// <inheritdoc/>
    public async Task<SourceReading> ReadAsync(CancellationToken cancellationToken)
    {
        // On its own thread: disk access blocks, and blocks for long if the disk is gone.
        var (reading, any) = await Task.Factory.StartNew(
            () => Scan(cancellationToken), cancellationToken, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        if (!any && reading.Problem is null && await holds.CountHeldBelowAsync(folder, cancellationToken) is > 0 and var held)
        {
            return reading with
            {
                Problem = $"{folder} is empty, and {held} links were in it before. Is it mounted? {LibraryKeeper.Confirm}",
                IsEmptied = true,
            };
        }

        return reading;
    }

    /// <inheritdoc/>
    public Task<ImportAnswer> FindImportAsync(AbandonedJob job, CancellationToken cancellationToken) =>
        Task.FromResult(ImportAnswer.NotApplicable);

    /// <summary>Reads the folder on the calling thread.</summary>
    /// <returns>The links, and whether the folder contains any file or link.</returns>
    internal (SourceReading Reading, bool Any) Scan(CancellationToken cancellationToken)
    {
        var links = new List<FoundLink>();
        try
        {
            return (new(links), Walk(new DirectoryInfo(folder), links, cancellationToken));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or System.Security.SecurityException)
        {
            return (new(links, $"{folder} cannot be read: {e.Message}"), true);
        }
    }

    /// <returns>True if the folder contains any file or link.</returns>
    private static bool Walk(DirectoryInfo parent, List<FoundLink> links, CancellationToken cancellationToken)
    {
        var any = false;
        foreach (var entry in parent.EnumerateFileSystemInfos(
            "*", new EnumerationOptions { AttributesToSkip = 0, IgnoreInaccessible = false }))
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (entry.LinkTarget is { } target)
            {
                any = true;
                links.Add(new FoundLink(entry.FullName, EndOf(entry, target)));
            }
            else if (entry is DirectoryInfo below)
            {
                any |= Walk(below, links, cancellationToken);
            }
            else
            {
                any = true;
                if (entry is FileInfo file && file.Extension.Equals(LinkNames.Address, StringComparison.OrdinalIgnoreCase)
                    && file.Length <= LongestAddress)
                    links.AddRange(File.ReadAllLines(file.FullName).Where(line => line.Length > 0)
                        .Select(line => new FoundLink(file.FullName, line.Trim())));
            }
        }

        return any;
    }

    /// <summary>The final target of a link, which may lead to a link of another library.</summary>
    private static string EndOf(FileSystemInfo link, string target)
    {
        var at = link.FullName;
        var text = target;
        for (var step = 0; step < MostSteps && !LinkTarget.PathsIn(text).Any(); step++)
        {
            at = Path.GetFullPath(text, Path.GetDirectoryName(at)!);
            if (new FileInfo(at).LinkTarget is not { } next)
                break;
            text = next;
        }

        return text;
    }
}
