using Microsoft.Extensions.Logging;
using NzbDav.Content;
using NzbDav.Import.Names;
using NzbDav.Import.Options;
using NzbDav.Import.Probing;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Import.Steps;

/// <summary>Finds .nzb files in a post that contains nothing else of use. Such a post stands for the posts that they list.</summary>
internal sealed partial class InnerPosts(ImportTools tools)
{
    /// <summary>Most .nzb files of one post that are read.</summary>
    private const int MostLists = 100;

    /// <summary>Types of files worth serving; a post with one of them is imported as it is.</summary>
    private static readonly FileType[] Useful = [FileType.Video, FileType.Audio, FileType.Disc, FileType.Archive];

    /// <returns>The files that the .nzb files list, as one post, and the passwords in their names; null if there are none, or some other
    /// file is useful.</returns>
    public async Task<(NzbDocument Document, IReadOnlyList<string> Passwords)?> FindAsync(IReadOnlyList<ContentFile> files,
        CancellationToken cancellationToken)
    {
        var lists = files.Where(file => IsList(file.Name) && file.Size <= tools.Options.MaxNzbBytes && file.Encryption is null)
            .Take(MostLists).ToArray();
        if (lists.Length == 0 || files.Any(file => Useful.Contains(file.Type)))
            return null;
        var documents = new List<NzbDocument>();
        foreach (var list in lists)
        {
            if (await ReadAsync(list, cancellationToken) is { } document)
                documents.Add(document);
        }

        return documents.Count == 0
            ? null
            : (NzbDocument.Join(documents),
                [.. lists.Select(list => Passwords.FromName(Path.GetFileNameWithoutExtension(list.Name)).Password).OfType<string>()]);
    }

    private static bool IsList(string name) => name.EndsWith(".nzb", StringComparison.OrdinalIgnoreCase);

    private async Task<NzbDocument?> ReadAsync(ContentFile list, CancellationToken cancellationToken)
    {
        try
        {
            using var bytes = new MemoryStream(
                await ContentBytes.ReadAsync(tools.Usenet.Open(list.Map), 0, (int)list.Size, ReadIntent.Import, cancellationToken));
            var read = await Task.Run(() => NzbReader.Read(bytes, options: null, cancellationToken), cancellationToken);
            if (read.Succeeded)
                return read.Document;
            LogUnread(tools.Logger, list.Name, read.Error.ToString());
        }
        catch (ContentException e)
        {
            LogUnread(tools.Logger, list.Name, e.Message);
        }

        return null;
    }

    [LoggerMessage(210, LogLevel.Warning, "{File} in a post cannot be read, so what it lists is not imported: {Reason}")]
    private static partial void LogUnread(ILogger logger, string file, string reason);
}
