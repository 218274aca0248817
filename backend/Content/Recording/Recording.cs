namespace NzbDav.Content.Recording;

/// <summary>A recording read back from a file. Not thread-safe while it is read, immutable afterwards.</summary>
public sealed class Recording
{
    private readonly Dictionary<long, RecordedRequest> _requests = [];
    private readonly Dictionary<int, RecordedProvider> _providers = [];
    private readonly Dictionary<int, RecordedFile> _files = [];
    private readonly List<RecordedLine> _articles = [];
    private readonly List<RecordedLine> _connections = [];

    /// <summary>When the recording begins; for display.</summary>
    public DateTimeOffset StartedAt { get; internal set; }

    /// <summary>The version of NzbDav that made it.</summary>
    public string By { get; internal set; } = "";

    /// <summary>What is missing at the end, as text; null: nothing.</summary>
    public string? Cut { get; internal set; }

    /// <summary>Number of lines read.</summary>
    public long Lines { get; internal set; }

    /// <summary>Providers by number.</summary>
    public IReadOnlyDictionary<int, RecordedProvider> Providers => _providers;

    /// <summary>Files by number.</summary>
    public IReadOnlyDictionary<int, RecordedFile> Files => _files;

    /// <summary>Requests of clients, in the order in which they came.</summary>
    public IReadOnlyList<RecordedRequest> Requests { get; private set; } = [];

    /// <summary>Requests to providers, in the order in which they ended: lines of the kinds article and stat.</summary>
    public IReadOnlyList<RecordedLine> Articles => _articles;

    /// <summary>Events of connections, in order: lines of the kinds opened, failed, closed and cap.</summary>
    public IReadOnlyList<RecordedLine> Connections => _connections;

    /// <summary>Milliseconds from the recording's beginning to its last event.</summary>
    public double Length { get; private set; }

    /// <exception cref="RecordingException">The line refers to something not yet declared.</exception>
    internal void Add(RecordedLine line, long number)
    {
        Length = Math.Max(Length, line.At ?? 0);
        switch (line.Kind)
        {
            case LineKinds.Provider:
                _providers[line.Provider!.Value] = new RecordedProvider(
                    line.Provider.Value, line.Connections!.Value, line.Priority!.Value, line.Backbone, line.Block == true);
                break;
            case LineKinds.File:
                _files[line.File!.Value] = new RecordedFile(line.File.Value, line.Size!.Value,
                    [.. line.Volumes!.Select(volume => new RecordedVolume((int)volume[0], (int)volume[1], volume[2], (int)volume[3]))]);
                break;
            case LineKinds.Request:
                if (!_files.ContainsKey(line.File!.Value))
                    throw new RecordingException(number, $"the request is for file {line.File}, of which no line tells before");
                _requests[line.Request!.Value] = new RecordedRequest { Line = line };
                break;
            case LineKinds.Article or LineKinds.Stat:
                RequireProvider(line, number);
                _articles.Add(line);
                break;
            case LineKinds.Opened or LineKinds.Failed or LineKinds.Closed or LineKinds.Cap:
                RequireProvider(line, number);
                _connections.Add(line);
                break;

            // A request from before the recording began has no line of its own: its events are left out.
            case LineKinds.First or LineKinds.Sent or LineKinds.Wait or LineKinds.End
                when _requests.TryGetValue(line.Request!.Value, out var request):
                AddTo(request, line);
                break;
            default:
                break;
        }
    }

    internal void Sort()
    {
        Requests = [.. _requests.Values.OrderBy(request => request.At)];
        _articles.Sort(static (a, b) => a.At!.Value.CompareTo(b.At!.Value));
        _connections.Sort(static (a, b) => a.At!.Value.CompareTo(b.At!.Value));
    }

    private static void AddTo(RecordedRequest request, RecordedLine line)
    {
        switch (line.Kind)
        {
            case LineKinds.First:
                request.FirstByte ??= line.Ms;
                break;
            case LineKinds.Sent:
                request.Sent.Add(line);
                break;
            case LineKinds.Wait:
                request.Waits.Add(line);
                break;
            default:
                request.Ended(line);
                break;
        }
    }

    private void RequireProvider(RecordedLine line, long number)
    {
        if (!_providers.ContainsKey(line.Provider!.Value))
            throw new RecordingException(number, $"it is about provider {line.Provider}, of which no line tells before");
    }
}

/// <summary>A provider of a recording.</summary>
/// <param name="Number">Its number.</param>
/// <param name="Connections">Connections that its account was configured with.</param>
/// <param name="Priority">Its priority.</param>
/// <param name="Backbone">Number of its backbone; null: none was configured.</param>
/// <param name="IsBlock">True for a block account.</param>
public sealed record RecordedProvider(int Number, int Connections, int Priority, int? Backbone, bool IsBlock);

/// <summary>A file of a recording.</summary>
/// <param name="Number">Its number, from 1.</param>
/// <param name="Size">Its size in bytes.</param>
/// <param name="Volumes">How it was posted; empty: not on Usenet.</param>
public sealed record RecordedFile(int Number, long Size, IReadOnlyList<RecordedVolume> Volumes);

/// <summary>A run of identical posted volumes that hold a file's bytes.</summary>
/// <param name="Count">Number of volumes.</param>
/// <param name="Articles">Articles in each volume.</param>
/// <param name="Bytes">Bytes of the file in each volume.</param>
/// <param name="ArticleSize">Decoded bytes of each article except the last.</param>
public readonly record struct RecordedVolume(int Count, int Articles, long Bytes, int ArticleSize)
{
    /// <summary>
    /// The volumes that a map's segments were posted in. Identical neighbours are merged. If articles of a volume differ in size, the
    /// largest size is given.
    /// </summary>
    public static IReadOnlyList<RecordedVolume> Of(ExtentMap map)
    {
        ArgumentNullException.ThrowIfNull(map);
        var list = new List<RecordedVolume>();
        long bytes = 0, last = -1;
        var (articles, size, before) = (0, 0, -1);
        foreach (ref readonly var extent in map.Extents)
        {
            var begin = map.Segments.Begin(extent.Segment);
            if (articles > 0 && extent.Segment != before && begin <= last)
                Close();
            if (extent.Segment != before)
                articles++;
            (before, last) = (extent.Segment, begin);
            size = Math.Max(size, map.Segments.Size(extent.Segment));
            bytes += extent.Length;
        }

        if (articles > 0)
            Close();
        return list;

        void Close()
        {
            var volume = new RecordedVolume(1, articles, bytes, size);
            if (list.Count > 0 && list[^1] with { Count = 1 } == volume)
                list[^1] = list[^1] with { Count = list[^1].Count + 1 };
            else
                list.Add(volume);
            (articles, size, bytes) = (0, 0, 0);
        }
    }
}

/// <summary>A client's request and its outcome. Times are milliseconds since the recording's beginning.</summary>
public sealed class RecordedRequest
{
    /// <summary>The line with which it began.</summary>
    public required RecordedLine Line { get; init; }

    /// <summary>When it arrived.</summary>
    public double At => Line.At!.Value;

    /// <summary>Milliseconds until the first byte; null: there was none.</summary>
    public double? FirstByte { get; internal set; }

    /// <summary>Its deliveries, in order: lines of the kind sent.</summary>
    public List<RecordedLine> Sent { get; } = [];

    /// <summary>Its waits, in order: lines of the kind wait.</summary>
    public List<RecordedLine> Waits { get; } = [];

    /// <summary>When it ended; null: not before the recording did.</summary>
    public double? EndedAt { get; internal set; }

    /// <summary>How it ended.</summary>
    public ResponseEnd Outcome { get; internal set; }

    /// <summary>Number of bytes sent.</summary>
    public long Bytes => Math.Max(_bytes, Sent.Sum(line => line.Bytes!.Value));

    internal void Ended(RecordedLine line)
    {
        EndedAt = line.At;
        _bytes = line.Bytes!.Value;
        Outcome = Enum.Parse<ResponseEnd>(line.Outcome!, ignoreCase: true);
    }

    private long _bytes;
}
