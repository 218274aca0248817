using System.Globalization;
using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Jobs;

/// <summary>Reorders queued jobs, which otherwise follow priority and age. Thread-safe.</summary>
public sealed class QueueOrder
{
    /// <summary>
    /// Distance in turn between a job moved to an end and its neighbour: far less than the ids of one millisecond span, far more than the
    /// number of jobs ever moved.
    /// </summary>
    private const long Step = 1 << 20;

    private const string InQueue = JobQuery.InQueue;
    private const string Waiting = InQueue + " AND kind = 'nzb'";
    private const string InOrder = "ORDER BY " + JobQuery.ByTurn;

    private readonly CatalogDatabase _database;

    public QueueOrder(CatalogDatabase database)
    {
        ArgumentNullException.ThrowIfNull(database);
        _database = database;
        database.NoticesReceived += OnNotices;
    }

    /// <summary>
    /// Raised with the moved jobs, after a move here or when the notice of another process arrives. Handlers must return quickly.
    /// </summary>
    public event Action<IReadOnlyCollection<long>>? Moved;

    /// <summary>
    /// Moves jobs of any kind to a position in the queue, one after the other in their current order. They take the priority of the job
    /// whose position the first of them takes.
    /// </summary>
    /// <param name="ids">The jobs; jobs that are not in the queue are skipped.</param>
    /// <param name="position">Position of the first one, from 0, not counting the moved jobs; -1, or a value beyond the end, means
    /// last.</param>
    /// <param name="cancellationToken">Cancels the wait for the writer.</param>
    /// <returns>The moved jobs.</returns>
    public async Task<IReadOnlyList<long>> MoveAsync(IReadOnlyCollection<long> ids, int position, CancellationToken cancellationToken)
    {
        var wanted = ids.ToHashSet();
        var moved = await _database.WriteAsync(
            transaction =>
            {
                var done = Move(transaction, wanted, position);
                foreach (var id in done)
                    Notify(transaction, id);
                return done;
            },
            cancellationToken);
        if (moved.Count > 0)
            Moved?.Invoke(moved);
        return moved;
    }

    /// <summary>Moves an .nzb job to a position among the .nzb jobs. It takes the priority of the job at that position.</summary>
    /// <param name="id">The job.</param>
    /// <param name="position">The new position, from 0; one past the end means last.</param>
    /// <param name="cancellationToken">Cancels the wait for the writer.</param>
    /// <returns>Its new position and priority; null if there is no such job in the queue.</returns>
    public async Task<(int Position, int Priority)?> MoveAsync(long id, int position, CancellationToken cancellationToken)
    {
        var place = await _database.WriteAsync<(int, int)?>(
            transaction =>
            {
                var places = transaction.All<Place>(
                    $"SELECT id AS Id, priority AS Priority, COALESCE(turn, id) AS Turn FROM jobs WHERE {Waiting} {InOrder}");
                var from = places.FindIndex(place => place.Id == id);
                if (from < 0)
                    return null;
                var moved = places[from];
                places.RemoveAt(from);
                var to = Math.Clamp(position, 0, places.Count);
                if (to == from)
                    return (from, moved.Priority);

                // Forward: before the job at that position. Back: behind the job that was there.
                var priority = (to < from ? places[to] : places[to - 1]).Priority;
                Put(transaction, places, [moved], to, priority);
                Notify(transaction, id);
                return (to, priority);
            },
            cancellationToken);
        if (place is not null)
            Moved?.Invoke([id]);
        return place;
    }

    /// <summary>Orders jobs of the queue like this, within each priority. Skips ids that are not in the queue.</summary>
    public async Task ArrangeAsync(IReadOnlyList<long> ids, CancellationToken cancellationToken)
    {
        var moved = await _database.WriteAsync(transaction => Arrange(transaction, [.. ids.Distinct()]), cancellationToken);
        if (moved.Count > 0)
            Moved?.Invoke(moved);
    }

    /// <returns>The jobs whose turn changed.</returns>
    private static List<long> Arrange(CatalogTransaction transaction, List<long> ids)
    {
        var places = transaction.All<Place>(
            $"SELECT id AS Id, priority AS Priority, COALESCE(turn, id) AS Turn FROM jobs WHERE {Waiting} {InOrder}");
        var moved = new List<long>();
        foreach (var group in places.GroupBy(place => place.Priority))
        {
            var turns = group.Select(place => place.Turn).Order().ToList();
            var members = group.ToDictionary(place => place.Id, place => place.Turn);
            var next = 0;
            for (var i = 1; i < turns.Count; i++)
                turns[i] = Math.Max(turns[i], turns[i - 1] + 1);
            foreach (var id in ids.Where(members.ContainsKey).Concat(members.Keys.Except(ids)))
            {
                var turn = turns[next++];
                if (turn == members[id])
                    continue;
                transaction.Execute("UPDATE jobs SET turn = @turn WHERE id = @id", new { turn, id });
                Notify(transaction, id);
                moved.Add(id);
            }
        }

        return moved;
    }

    private static void Notify(CatalogTransaction transaction, long id) =>
        transaction.Notify(NoticeKind.Order, id.ToString(CultureInfo.InvariantCulture));

    private void OnNotices(IReadOnlyList<CatalogNotice> notices)
    {
        long[] moved = [.. notices.Where(static notice => notice.Kind == NoticeKind.Order)
            .Select(static notice => long.Parse(notice.Text, CultureInfo.InvariantCulture))];
        if (moved.Length > 0)
            Moved?.Invoke(moved);
    }

    private static List<long> Move(CatalogTransaction transaction, HashSet<long> ids, int position)
    {
        var places = transaction.All<Place>(
            $"SELECT id AS Id, priority AS Priority, COALESCE(turn, id) AS Turn FROM jobs WHERE {InQueue} {InOrder}");
        var from = places.FindIndex(place => ids.Contains(place.Id));
        if (from < 0)
            return [];
        var moved = places.FindAll(place => ids.Contains(place.Id));
        places.RemoveAll(place => ids.Contains(place.Id));
        var to = position < 0 ? places.Count : Math.Min(position, places.Count);
        if (places.Count > 0)
            Put(transaction, places, moved, to, (to < from || to == 0 ? places[to] : places[to - 1]).Priority);
        return moved.ConvertAll(place => place.Id);
    }

    /// <summary>Sets the priority and turns of jobs that move between the neighbours of a position.</summary>
    /// <param name="transaction">The transaction.</param>
    /// <param name="places">The other jobs, in order.</param>
    /// <param name="moved">The jobs to move, in order.</param>
    /// <param name="to">Index in <paramref name="places"/> of the job that they go before.</param>
    /// <param name="priority">The priority of one of the neighbours.</param>
    private static void Put(CatalogTransaction transaction, List<Place> places, List<Place> moved, int to, int priority)
    {
        var (before, after) = Neighbours();
        if (before is { } under && after is { } over && over - under <= moved.Count)
        {
            Spread(transaction, places.FindAll(place => place.Priority == priority), moved.Count);
            (before, after) = Neighbours();
        }

        for (var i = 0; i < moved.Count; i++)
        {
            var turn = (before, after) switch
            {
                ({ } low, { } high) => low + ((high - low) / (moved.Count + 1) * (i + 1)),
                ({ } low, null) => low + (Step * (i + 1)),
                (null, { } high) => high - (Step * (moved.Count - i)),
                _ => moved[0].Turn + (Step * i),
            };
            transaction.Execute("UPDATE jobs SET priority = @priority, turn = @turn WHERE id = @Id", new { priority, turn, moved[i].Id });
        }

        (long? Before, long? After) Neighbours() => (
            to > 0 && places[to - 1].Priority == priority ? places[to - 1].Turn : null,
            to < places.Count && places[to].Priority == priority ? places[to].Turn : null);
    }

    /// <summary>Widens the gaps between turns, because ids of one millisecond may be consecutive.</summary>
    private static void Spread(CatalogTransaction transaction, List<Place> places, int room)
    {
        for (var i = 1; i < places.Count; i++)
        {
            places[i].Turn = places[i - 1].Turn + Math.Max(Step, room + 1);
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
