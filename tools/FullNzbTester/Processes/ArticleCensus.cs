using System.Text;
using NzbDav.Usenet.Nzb;

namespace NzbDav.FullNzbTester.Processes;

/// <summary>Asks the mock for each article, without the client under test.</summary>
internal static class ArticleCensus
{
    /// <returns>Number of articles, and the indexes of those that are missing.</returns>
    public static async Task<(int Articles, HashSet<int> Missing)> CountAsync(
        string nzb, MockProcess mock, CancellationToken cancellationToken)
    {
        await using var file = File.OpenRead(nzb);
        var segments = NzbReader.Read(file, cancellationToken: cancellationToken).Document!.Files[0].Segments;
        await using var stream = await mock.ConnectAsync(cancellationToken);
        using var reader = new StreamReader(stream, Encoding.ASCII);
        var asking = AskAsync(stream, segments.Select(segment => segment.MessageId), cancellationToken);
        var missing = new HashSet<int>();
        for (var index = 0; index < segments.Length; index++)
        {
            // 430 No article with that message-id (RFC 3977, 6.2.4)
            var reply = await reader.ReadLineAsync(cancellationToken) ?? throw new IOException("The mock closed the connection.");
            if (reply.StartsWith("430", StringComparison.Ordinal))
                missing.Add(index);
        }

        await asking;
        return (segments.Length, missing);
    }

    private static async Task AskAsync(Stream stream, IEnumerable<string> ids, CancellationToken cancellationToken)
    {
        foreach (var few in ids.Chunk(50))
            await stream.WriteAsync(Encoding.ASCII.GetBytes(string.Concat(few.Select(id => $"STAT <{id}>\r\n"))), cancellationToken);
    }
}
