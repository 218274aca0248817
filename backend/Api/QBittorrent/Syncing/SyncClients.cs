namespace NzbDav.Api.QBittorrent;

/// <summary>
/// What each client knows, by the numbers (<c>rid</c>) of the answers that it has had: the latest, and the one before it, in case the latest never arrived. Whoever asks with
/// another number is told everything. Thread-safe; bounded.
/// </summary>
/// <typeparam name="T">What is synchronised; immutable.</typeparam>
internal sealed class SyncClients<T>
    where T : class
{
    private const int MostClients = 64;

    /// <summary>A client that counts on would get there in some years.</summary>
    private const int LastNumber = 1_000_000_000;

    private readonly Lock _gate = new();
    private readonly Dictionary<string, Known> _clients = new(StringComparer.Ordinal);
    private long _uses;

    /// <summary>Notes what a client is told now.</summary>
    /// <param name="client">See <see cref="QbitCaller.Id"/>.</param>
    /// <param name="rid">The number that it asks with; 0: it knows nothing.</param>
    /// <param name="now">What there is.</param>
    /// <returns>What it knows (null: nothing), and the number of this answer.</returns>
    public (T? Before, int Rid) Next(string client, long rid, T now)
    {
        lock (_gate)
        {
            if (!_clients.TryGetValue(client, out var known))
            {
                if (_clients.Count >= MostClients)
                    _clients.Remove(_clients.MinBy(static pair => pair.Value.Used).Key);
                _clients[client] = known = new Known();
            }

            known.Used = ++_uses;
            if (rid > 0 && rid == known.Latest.Rid)
                known.Accepted = known.Latest;
            else if (rid <= 0 || rid != known.Accepted.Rid)
                known.Accepted = default;
            var next = known.Latest.Rid % LastNumber + 1;
            known.Latest = (next, now);
            return (known.Accepted.Data, next);
        }
    }

    private sealed class Known
    {
        public (int Rid, T? Data) Accepted { get; set; }

        public (int Rid, T? Data) Latest { get; set; }

        public long Used { get; set; }
    }
}
