using NzbDav.Content.Recording;

namespace NzbDav.FullNzbTester.Replay;

/// <summary>The replayed part of a recording: the files to post, and the requests to make. Pure.</summary>
internal sealed class ReplayPlan
{
    private ReplayPlan(IReadOnlyDictionary<int, RecordedFile> files, IReadOnlyList<RecordedRequest> requests) =>
        (Files, Requests) = (files, requests);

    /// <summary>Requested files that were on Usenet.</summary>
    public IReadOnlyDictionary<int, RecordedFile> Files { get; }

    /// <summary>Requests for them, by time.</summary>
    public IReadOnlyList<RecordedRequest> Requests { get; }

    public static ReplayPlan Of(Recording recording)
    {
        var requests = recording.Requests.Where(request => recording.Files[request.Line.File!.Value].Volumes.Count > 0).ToArray();
        var used = requests.Select(request => request.Line.File!.Value).ToHashSet();
        return new ReplayPlan(recording.Files.Where(pair => used.Contains(pair.Key)).ToDictionary(), requests);
    }

    /// <summary>Why a recording cannot be played; null: it can.</summary>
    public static string? Refusal(Recording recording)
    {
        if (recording.Requests.Count == 0)
            return "this recording contains no requests.";
        if (Of(recording).Requests.Count == 0)
            return "all requests in this recording are for files of torrents, which cannot be replayed.";
        return recording.Providers.Count == 0
            ? "this recording contains no provider: everything came from memory or disk, so there is nothing to replay." : null;
    }

    /// <summary>Size of the posted file: all articles of the recorded volumes one after the other.</summary>
    public static long LengthOf(RecordedFile file) => file.Volumes.Sum(volume => volume.Count * volume.Bytes);

    /// <summary>The most common size of an article, in decoded bytes.</summary>
    public static int ArticleSizeOf(RecordedFile file) => file.Volumes.MaxBy(volume => volume.Count * volume.Articles).ArticleSize;

    /// <summary>
    /// The article of the posted file that corresponds to a recorded one. Each recorded volume ends with a short article; the posted file
    /// has only one short article.
    /// </summary>
    public static int PlaceOf(RecordedFile file, int article)
    {
        long before = 0;
        foreach (var volume in file.Volumes)
        {
            var all = volume.Count * volume.Articles;
            if (article < all)
            {
                var (number, within) = Math.DivRem(article, volume.Articles);
                before += (number * volume.Bytes) + Math.Min((long)within * volume.ArticleSize, volume.Bytes - 1);
                break;
            }

            article -= all;
            before += volume.Count * volume.Bytes;
        }

        return (int)(Math.Min(before, LengthOf(file) - 1) / ArticleSizeOf(file));
    }
}
