namespace NzbDav.Catalog;

/// <summary>Puts waiting .nzb jobs into another order than priority and age. Thread-safe.</summary>
public sealed class QueueOrder
{
    /// <summary>What the turn of a job that is moved to an end differs by: far less than a millisecond's worth of ids, far more than jobs are ever moved.</summary>
    private const long Step = 1 << 20;

    private const string Waiting = "state IN ('queued', 'running') AND kind = 'nzb'";
    private const string InOrder = "ORDER BY priority DESC, COALESCE(turn, id), id";

    private readonly CatalogDatabase _database;

    public QueueOrder(CatalogDatabase database)
    {
        ArgumentNullException.ThrowIfNull(database);
        _database = database;
    }

    /// <summary>Moves a job to a place in the queue; it takes over the priority of the one that is there.</summary>
    /// <param name="id">The job.</param>
    /// <param name="position">Where to, from 0; one past the end means last.</param>
    /// <param name="cancellationToken">Gives up waiting for the writer.</param>
    /// <returns>Where it is now, and its priority; null if there is no such job in the queue.</returns>
    public Task<(int Position, int Priority)?> MoveAsync(long id, int position, CancellationToken cancellationToken) => _database.WriteAsync<(int, int)?>(
        transaction =>
        {
            var places = transaction.All<Place>($"SELECT id AS Id, priority AS Priority, COALESCE(turn, id) AS Turn FROM jobs WHERE {Waiting} {InOrder}");
            var from = places.FindIndex(place => place.Id == id);
            if (from < 0)
                return null;
            var moved = places[from];
            places.RemoveAt(from);
            var to = Math.Clamp(position, 0, places.Count);
            if (to == from)
                return (from, moved.Priority);

            // Forward: it goes before the one that stands there. Back: behind the one that stood there.
            var neighbour = to < from ? places[to] : places[to - 1];
            var before = to > 0 && places[to - 1].Priority == neighbour.Priority ? places[to - 1].Turn : (long?)null;
            var after = to < places.Count && places[to].Priority == neighbour.Priority ? places[to].Turn : (long?)null;
            if (before is { } under && after is { } over && over - under < 2)
            {
                Spread(transaction, places.FindAll(place => place.Priority == neighbour.Priority));
                (before, after) = (places[to - 1].Turn, places[to].Turn);
            }

            var turn = (before, after) switch
            {
                ({ } low, { } high) => low + ((high - low) / 2),
                ({ } low, null) => low + Step,
                (null, { } high) => high - Step,
                _ => moved.Turn,
            };
            transaction.Execute("UPDATE jobs SET priority = @Priority, turn = @turn WHERE id = @id", new { neighbour.Priority, turn, id });
            return (to, neighbour.Priority);
        },
        cancellationToken);

    /// <summary>Puts jobs of the queue into this order, those of one priority among each other. Ids that are not in the queue are left out.</summary>
    public Task ArrangeAsync(IReadOnlyList<long> ids, CancellationToken cancellationToken) => _database.WriteAsync(
        transaction =>
        {
            var places = transaction.All<Place>($"SELECT id AS Id, priority AS Priority, COALESCE(turn, id) AS Turn FROM jobs WHERE {Waiting} {InOrder}");
            foreach (var group in places.GroupBy(place => place.Priority))
            {
                var turns = group.Select(place => place.Turn).Order().ToList();
                var members = group.Select(place => place.Id).ToHashSet();
                var next = 0;
                for (var i = 1; i < turns.Count; i++)
                    turns[i] = Math.Max(turns[i], turns[i - 1] + 1);
                foreach (var id in ids.Where(members.Contains).Concat(group.Select(place => place.Id).Except(ids)))
                    transaction.Execute("UPDATE jobs SET turn = @turn WHERE id = @id", new { turn = turns[next++], id });
            }

            return true;
        },
        cancellationToken);

    /// <summary>Ids that were made in one millisecond may follow each other without a gap.</summary>
    private static void Spread(CatalogTransaction transaction, List<Place> places)
    {
        for (var i = 1; i < places.Count; i++)
        {
            places[i].Turn = places[i - 1].Turn + Step;
            transaction.Execute("UPDATE jobs SET turn = @Turn WHERE id = @Id", new { places[i].Turn, places[i].Id });
        }
    }

    private sealed class Place
    {
        public long Id { get; set; }

        public int Priority { get; set; }

        public long Turn { get; set; }
    }
}
