using System.Collections.Concurrent;
using System.Text;

namespace NzbDav.MockUsenet.Articles;

/// <summary>
/// All posted articles. Each provider decides which of them it has. Thread-safe. Message-ids depend only on the
/// seed and on the order in which files were added.
/// </summary>
public sealed class ArticleStore(ulong seed = 1)
{
    private readonly ConcurrentDictionary<string, PostedSegment> _byId = new(StringComparer.Ordinal);
    private readonly List<PostedFile> _files = [];
    private readonly Lock _gate = new();

    public ulong Seed => seed;

    /// <summary>Number of articles.</summary>
    public int Count => _byId.Count;

    /// <summary>The files in the order in which they were added; a copy.</summary>
    public IReadOnlyList<PostedFile> Files
    {
        get
        {
            lock (_gate)
                return [.. _files];
        }
    }

    /// <summary>Posts one file by itself: <c>[1/1]</c> in its subject.</summary>
    public PostedFile AddFile(string name, IArticleSource source, PostOptions? options = null) => AddPost([(name, source)], options)[0];

    /// <summary>Posts several files as one: <c>[1/n]</c> … <c>[n/n]</c> in their subjects.</summary>
    public IReadOnlyList<PostedFile> AddPost(IReadOnlyList<(string Name, IArticleSource Source)> files, PostOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(files);
        var posted = new List<PostedFile>(files.Count);
        lock (_gate)
        {
            for (var i = 0; i < files.Count; i++)
            {
                var file = new PostedFile(
                    files[i].Name, files[i].Source, options ?? new PostOptions(), i + 1, files.Count, seed, _files.Count);
                foreach (var segment in file.Segments)
                {
                    if (!_byId.TryAdd(segment.MessageId, segment))
                        throw new ArgumentException($"The message-id {segment.MessageId} is taken.", nameof(options));
                }

                _files.Add(file);
                posted.Add(file);
            }
        }

        return posted;
    }

    /// <param name="messageId">Without angle brackets.</param>
    public PostedSegment? Find(string messageId) => _byId.GetValueOrDefault(messageId);

    /// <summary>Encodes all articles now, so that a measurement includes only sending.</summary>
    /// <param name="parallelism">Number of cores to use; 0 = all.</param>
    /// <param name="cancellationToken">Stops between articles.</param>
    public Task EncodeAllAsync(int parallelism = 0, CancellationToken cancellationToken = default)
    {
        var options = new ParallelOptions
        {
            MaxDegreeOfParallelism = parallelism > 0 ? parallelism : Environment.ProcessorCount,
            CancellationToken = cancellationToken,
        };
        return Parallel.ForEachAsync(_byId.Values, options, static (segment, stop) =>
        {
            stop.ThrowIfCancellationRequested();
            _ = segment.Wire;
            return ValueTask.CompletedTask;
        });
    }

    /// <summary>The next article of the same file; if the file has only one, the first article of another file.</summary>
    internal PostedSegment OtherThan(PostedSegment segment)
    {
        var own = segment.File.Segments;
        return own.Count > 1
            ? own[(segment.Index + 1) % own.Count]
            : Files.FirstOrDefault(file => !ReferenceEquals(file, segment.File))?.Segments[0] ?? segment;
    }

    internal bool HasGroup(ReadOnlySpan<byte> name, out int articles)
    {
        var text = Encoding.UTF8.GetString(name);
        articles = Files.Where(file => file.Options.Groups.Contains(text, StringComparer.Ordinal)).Sum(file => file.Segments.Count);
        return articles > 0;
    }

    internal PostedSegment? Find(ReadOnlySpan<byte> messageId)
    {
        // RFC 3977, section 3.6: a message-id has at most 250 octets.
        if (messageId.Length > 250)
            return null;
        Span<char> text = stackalloc char[messageId.Length];
        for (var i = 0; i < text.Length; i++)
            text[i] = (char)messageId[i];
        return _byId.GetAlternateLookup<ReadOnlySpan<char>>().TryGetValue(text, out var segment) ? segment : null;
    }
}
