using NzbDav.Api.QBittorrent.Routing;

namespace NzbDav.Api.QBittorrent.Syncing;

/// <summary>
/// What each client has received, by the number (<c>rid</c>) of the answer: the latest answer, and the one before it in case the latest
/// never arrived. A client that sends any other number gets everything. Thread-safe; bounded.
/// </summary>
/// <typeparam name="T">The synchronised data; immutable.</typeparam>
internal sealed class SyncClients<T>
    where T : class
{
    private const int MostClients = 64;

    /// <summary>Numbers restart after this one; a client would need years to reach it.</summary>
    private const int LastNumber = 1_000_000_000;

    private readonly Lock _gate = new();
    private readonly Dictionary<string, Known> _clients = new(StringComparer.Ordinal);
    private long _uses;

    /// <summary>Records what a client is sent now.</summary>
    /// <param name="client">See <see cref="QbitCaller.Id"/>.</param>
    /// <param name="rid">The number in its request; 0: it has nothing yet.</param>
    /// <param name="now">The current data.</param>
    /// <returns>What the client has (null: nothing), and the number of this answer.</returns>
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
