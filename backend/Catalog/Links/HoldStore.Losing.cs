using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Links;

/// <content>What happens to files that are lost.</content>
public sealed partial class HoldStore
{
    /// <summary>A person has confirmed that all that is lost now may go.</summary>
    public async Task AcceptAsync(DateTimeOffset at, CancellationToken cancellationToken) => await _database.WriteAsync(
        transaction => transaction.Execute("UPDATE holds SET accepted = @now WHERE lost IS NOT NULL AND accepted IS NULL", new { now = at.UtcTicks }),
        cancellationToken);

    /// <summary>No library has these files any more, as far as can be read now. Does not count as a reading of all libraries.</summary>
    public async Task MarkLostAsync(IReadOnlyCollection<long> itemIds, DateTimeOffset at, CancellationToken cancellationToken)
    {
        var now = at.UtcTicks;
        await _database.WriteAsync(
            transaction =>
            {
                transaction.ExecuteAll(
                    "UPDATE holds SET lost = @now WHERE item_id = @id AND lost IS NULL", itemIds.Select(id => (object)new { id, now }));
                return 0;
            },
            cancellationToken);
    }

    /// <summary>A client uses a file that is hidden: it is shown again, and is lost from now on.</summary>
    public async Task ReturnAsync(long itemId, DateTimeOffset at, CancellationToken cancellationToken)
    {
        await _database.WriteAsync(
            transaction =>
            {
                transaction.Tell(NoticeKind.Hidden);
                return transaction.Execute(
                    "UPDATE holds SET lost = @now, hidden = NULL, accepted = NULL WHERE item_id = @id AND hidden IS NOT NULL",
                    new { id = itemId, now = at.UtcTicks });
            },
            cancellationToken);
        await LoadAsync(cancellationToken);
    }

    /// <summary>Stops showing files that are lost.</summary>
    public async Task HideAsync(IReadOnlyCollection<long> itemIds, DateTimeOffset at, CancellationToken cancellationToken)
    {
        var now = at.UtcTicks;
        await _database.WriteAsync(
            transaction =>
            {
                transaction.ExecuteAll("UPDATE holds SET hidden = @now WHERE item_id = @id AND lost IS NOT NULL AND kept IS NULL AND hidden IS NULL", itemIds.Select(id => (object)new { id, now }));
                transaction.Tell(NoticeKind.Hidden);
                return 0;
            },
            cancellationToken);
        await LoadAsync(cancellationToken);
    }
}
