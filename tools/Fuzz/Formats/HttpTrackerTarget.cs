using NzbDav.Fuzz.Contract;
using NzbDav.Torrents.Discovery;

namespace NzbDav.Fuzz.Formats;

/// <summary>Responses of HTTP trackers (BEP 3, 7, 23).</summary>
internal sealed class HttpTrackerTarget() : FuzzTarget("http-tracker", "Answers of HTTP trackers")
{
    public override bool IsCut => false;

    public override IReadOnlyList<byte[]> Words { get; } =
        [.. BencodeTarget.Usual, .. "5:peers|6:peers6|8:interval|12:min interval|14:failure reason|15:warning message|8:complete|10:incomplete|10:downloaded|2:ip|4:port|7:peer id20:|10:tracker id|9:192.0.2.1".Split('|').Select(Text)];

    public override void Mend(byte[] input, Random random) => BencodeTarget.MendLengths(input, random);

    public override object? Run(byte[] input, Cuts cuts)
    {
        var answer = HttpTrackerClient.Read(input);
        BrokenPromiseException.ThrowUnless(answer.Failure is null || answer.Peers.Count == 0, "A failure names no peers.");
        BrokenPromiseException.ThrowUnless(answer.Peers.Count <= TrackerAnswer.MostPeers && answer.Interval > TimeSpan.Zero
            && answer.Least >= TimeSpan.Zero, "An answer is in range.");
        return $"{answer.Failure} {string.Join(' ', answer.Peers)} {answer.Interval} {answer.Least} {answer.Counts}";
    }
}
