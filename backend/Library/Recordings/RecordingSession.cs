using NzbDav.Content;
using NzbDav.Content.Recording;
using NzbDav.Usenet.Accounts;
using NzbDav.WebDav.Streams;

namespace NzbDav.Library.Recordings;

/// <summary>
/// Converts entries of a <see cref="Timeline"/> into the lines of one recording. Files, clients, requests, providers and connections become
/// numbers of this recording; names, addresses and message-ids are left out. Not thread-safe.
/// </summary>
/// <param name="source">Looks things up.</param>
/// <param name="writer">Receives the lines.</param>
/// <param name="began">The reading of the timeline's clock at which times begin.</param>
/// <param name="stream">Only this stream's requests, with everything that providers did; null: all streams.</param>
internal sealed class RecordingSession(RecordingSource source, RecordingWriter writer, long began, long? stream)
{
    /// <summary>Files whose articles are kept in memory at the same time: 3 MB for a film of 50 GB.</summary>
    private const int MostIndexes = 16;

    /// <summary>Shortest pause that is recorded, in milliseconds. Shorter ones are normal for a connection.</summary>
    private const double LeastPause = 20;

    private readonly Dictionary<long, int> _files = [];
    private readonly LinkedList<(long File, int Number, RecordedArticles Articles)> _indexes = new();
    private readonly Dictionary<(string Address, string? UserAgent), int> _clients = [];
    private readonly Dictionary<ulong, long> _requests = [];
    private readonly Dictionary<int, int> _providers = [];
    private readonly Dictionary<string, int> _backbones = new(StringComparer.OrdinalIgnoreCase);
    private readonly Dictionary<int, int> _connections = [];
    private long _lastRequest;

    /// <summary>Writes entries, which need not be in the order of time.</summary>
    public async Task WriteAsync(IReadOnlyList<TimelineEntry> entries, CancellationToken cancellationToken)
    {
        // In the order of the settings, whichever provider was asked first.
        foreach (var provider in source.Usenet.Providers)
            ProviderOf(provider.Number);
        foreach (var entry in entries)
        {
            // First, so that articles find their files.
            if (entry.Note is TimelineSource from && IsWanted(entry))
                await EnsureFileAsync(from, cancellationToken);
        }

        foreach (var entry in entries)
        {
            if (entry.Kind >= TimelineKind.Article)
                WriteProvider(entry);
            else
                WriteStream(entry);
        }
    }

    private bool IsWanted(in TimelineEntry entry) =>
        stream is null || (entry.Kind == TimelineKind.Request ? entry.C : entry.Connection) == stream;

    private async ValueTask EnsureFileAsync(TimelineSource from, CancellationToken cancellationToken)
    {
        for (var node = _indexes.First; node is not null; node = node.Next)
        {
            if (node.Value.File != from.File)
                continue;
            _indexes.Remove(node);
            _indexes.AddFirst(node);
            return;
        }

        var articles = await RecordedArticles.ReadAsync(source.Tree, source.Maps, from.File, cancellationToken);
        if (!_files.TryGetValue(from.File, out var number))
        {
            _files[from.File] = number = _files.Count + 1;
            var volumes = articles.Map is { } map ? RecordedVolume.Of(map) : [];
            writer.Write(new RecordedLine
            {
                Kind = LineKinds.File,
                File = number,
                Size = Math.Max(1, from.Size),
                Volumes = [.. volumes.Select(volume => new long[] { volume.Count, volume.Articles, volume.Bytes, volume.ArticleSize })],
            });
        }

        _indexes.AddFirst((from.File, number, articles));
        if (_indexes.Count > MostIndexes)
            _indexes.RemoveLast();
    }

    private void WriteStream(in TimelineEntry entry)
    {
        if (entry.Kind is TimelineKind.Request or TimelineKind.Delivered)
        {
            if (entry.Note is not TimelineSource from || !IsWanted(entry))
                return;

            // For a response that began before the oldest entry, a request is added at its first known time.
            if (entry.Kind == TimelineKind.Request)
                WriteRequest(from, entry.Id, entry.At, entry.A, entry.B, entry.Detail);
            else if (!_requests.ContainsKey(entry.Id))
                WriteRequest(from, entry.Id, entry.B, entry.A, Math.Max(from.Size, entry.A + 1), (byte)ReadIntent.Playback);
        }

        if (!_requests.TryGetValue(entry.Id, out var request))
            return;
        var line = entry.Kind switch
        {
            TimelineKind.FirstByte => new RecordedLine { Kind = LineKinds.First, Ms = Milliseconds(entry.A) },
            TimelineKind.Delivered => new RecordedLine
            {
                Kind = LineKinds.Sent,
                Ms = Math.Round(source.Timeline.Between(entry.B, entry.At).TotalMilliseconds, 1),
                Bytes = entry.Bytes,
                Stalled = Milliseconds(entry.C),
                Waited = Milliseconds(entry.D),
            },
            TimelineKind.Waited => new RecordedLine { Kind = LineKinds.Wait, Position = entry.A, Ms = Milliseconds(entry.B) },
            TimelineKind.Ended => new RecordedLine { Kind = LineKinds.End, Bytes = entry.A, Outcome = NameOf((ResponseEnd)entry.Outcome) },
            _ => null,
        };
        if (line is not null)
            writer.Write(line with { At = At(entry.At), Request = request });
        if (entry.Kind == TimelineKind.Ended)
            _requests.Remove(entry.Id);
    }

    private void WriteRequest(TimelineSource from, ulong id, long at, long start, long end, byte intent)
    {
        var who = (from.Address, from.UserAgent);
        if (!_clients.TryGetValue(who, out var client))
            _clients[who] = client = _clients.Count + 1;
        _requests[id] = ++_lastRequest;
        writer.Write(new RecordedLine
        {
            Kind = LineKinds.Request,
            At = At(at),
            Request = _lastRequest,
            Client = client,
            Program = ClientPrograms.KnownNameOf(from.UserAgent),
            File = _files[from.File],
            Start = start,
            End = end,
            Intent = intent,
        });
    }

    private void WriteProvider(in TimelineEntry entry)
    {
        var line = entry.Kind switch
        {
            TimelineKind.Article => ArticleOf(entry, LineKinds.Article) with
            {
                Bytes = entry.Bytes,
                Priority = entry.Detail,
                Pause = PauseOf(entry),
                After = PauseOf(entry) is null ? null : entry.PauseAfter
            },
            TimelineKind.Stat => ArticleOf(entry, LineKinds.Stat) with { Priority = entry.Detail },
            TimelineKind.Opened =>
                new RecordedLine { Kind = LineKinds.Opened, Ms = Milliseconds(entry.A), Connection = ConnectionOf(entry.Connection) },
            TimelineKind.Failed =>
                new RecordedLine { Kind = LineKinds.Failed, Open = entry.Bytes, Outcome = NameOf((ConnectFault)entry.Outcome) },
            TimelineKind.Closed => new RecordedLine
            {
                Kind = LineKinds.Closed,
                Open = entry.Bytes,
                Connection = ConnectionOf(entry.Connection),
                Outcome = NameOf((ConnectionEnd)entry.Outcome)
            },
            _ => new RecordedLine { Kind = LineKinds.Cap, Limit = (int)entry.A },
        };
        writer.Write(line with { At = At(entry.At), Provider = ProviderOf(entry.Provider) });
    }

    private RecordedLine ArticleOf(in TimelineEntry entry, string kind)
    {
        int? file = null, article = null;
        foreach (var index in _indexes)
        {
            if (!index.Articles.ByHash.TryGetValue(entry.Id, out var number))
                continue;
            (file, article) = (index.Number, number);
            break;
        }

        return new RecordedLine
        {
            Kind = kind,
            File = file,
            Article = article,
            Connection = ConnectionOf(entry.Connection),
            Queued = entry.A == 0 ? null : At(entry.A),
            Asked = At(entry.B),
            Next = At(entry.C == 0 ? entry.B : entry.C),
            First = entry.D == 0 ? null : At(entry.D),
            Outcome = NameOf((ArticleResult)entry.Outcome),
        };
    }

    private int ProviderOf(int number)
    {
        if (_providers.TryGetValue(number, out var known))
            return known;
        var options = source.Usenet.Providers.FirstOrDefault(provider => provider.Number == number)?.Options ?? new ProviderOptions();
        int? backbone = null;
        if (options.Backbone.Length > 0)
            backbone = _backbones.TryGetValue(options.Backbone, out var label) ? label : _backbones[options.Backbone] = _backbones.Count;
        _providers[number] = known = _providers.Count;
        writer.Write(new RecordedLine
        {
            Kind = LineKinds.Provider,
            Provider = known,
            Connections = options.MaxConnections,
            Priority = options.Priority,
            Backbone = backbone,
            Block = options.IsBlock ? true : null,
        });
        return known;
    }

    private int ConnectionOf(int number)
    {
        if (!_connections.TryGetValue(number, out var known))
            _connections[number] = known = _connections.Count;
        return known;
    }

    private double? PauseOf(in TimelineEntry entry) =>
        source.Timeline.Between(0, entry.Pause).TotalMilliseconds is >= LeastPause and var pause ? Math.Round(pause, 1) : null;

    private double At(long reading) => Math.Max(0, Math.Round(source.Timeline.Between(began, reading).TotalMilliseconds, 1));

    private static double Milliseconds(long ticks) => Math.Max(0, Math.Round(TimeSpan.FromTicks(ticks).TotalMilliseconds, 1));

    private static string NameOf<T>(T value)
        where T : struct, Enum => Enum.GetName(value)?.ToLowerInvariant() ?? "unknown";
}
