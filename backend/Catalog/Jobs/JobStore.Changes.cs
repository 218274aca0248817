using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Jobs;

/// <content>What users change of a job.</content>
public sealed partial class JobStore
{
    /// <summary>Holds a job back until <see cref="ResumeAsync"/>; a worker that has it loses its lease and begins anew later.</summary>
    /// <returns>False if there is no such job, or it is completed or failed.</returns>
    public Task<bool> PauseAsync(long id, CancellationToken cancellationToken) => UpdateAsync(
        "UPDATE jobs SET paused = 1, state = 'queued', owner = NULL, lease_until = NULL WHERE id = @id AND state IN ('queued', 'running') RETURNING state",
        new { id },
        id,
        cancellationToken);

    /// <summary>Lets a job that was held back go on.</summary>
    /// <returns>False if there is no such job, or it is not held back.</returns>
    public Task<bool> ResumeAsync(long id, CancellationToken cancellationToken) => UpdateAsync(
        "UPDATE jobs SET paused = 0, not_before = 0, waiting_since = NULL WHERE id = @id AND paused = 1 RETURNING state", new { id }, id, cancellationToken);

    /// <summary>Counts anew how long each job has waited for what it needs: none is tried while the whole queue is held back.</summary>
    public Task RestartWaitingAsync(CancellationToken cancellationToken) => _database.WriteAsync(
        transaction => transaction.Execute("UPDATE jobs SET waiting_since = NULL WHERE state IN ('queued', 'running') AND waiting_since IS NOT NULL"), cancellationToken);

    /// <summary>Moves a job forward or back in the queue.</summary>
    /// <returns>False if there is no such job.</returns>
    public Task<bool> SetPriorityAsync(long id, int priority, CancellationToken cancellationToken)
        => UpdateAsync("UPDATE jobs SET priority = @priority WHERE id = @id RETURNING state", new { id, priority }, id, cancellationToken);

    /// <summary>Changes the category of a job that has not been published yet.</summary>
    /// <returns>False if there is no such job, or it is published.</returns>
    /// <exception cref="ArgumentException">The category cannot be the name of a collection.</exception>
    public Task<bool> SetCategoryAsync(long id, string category, CancellationToken cancellationToken)
    {
        CatalogNames.ThrowIfInvalid(category);
        return UpdateAsync(
            "UPDATE jobs SET category = @category WHERE id = @id AND state <> 'completed' RETURNING state", new { id, category }, id, cancellationToken);
    }

    /// <summary>Calls a job that has not been published yet something else; the password, if one is given, goes with it.</summary>
    /// <returns>False if there is no such job, or it is published.</returns>
    /// <exception cref="ArgumentException">The name cannot be the name of a collection.</exception>
    public Task<bool> RenameAsync(long id, string name, string? password, CancellationToken cancellationToken)
    {
        CatalogNames.ThrowIfInvalid(name);
        return UpdateAsync(
            "UPDATE jobs SET name = @name, password = COALESCE(@password, password) WHERE id = @id AND state <> 'completed' RETURNING state",
            new { id, name, password },
            id,
            cancellationToken);
    }

    private async Task<bool> UpdateAsync(string sql, object parameters, long id, CancellationToken cancellationToken)
    {
        var state = await _database.WriteAsync(
            transaction =>
            {
                var after = transaction.First<string>(sql, parameters);
                if (after is not null)
                    JobChange.Tell(transaction, id, after);
                return after;
            },
            cancellationToken);
        if (state is null)
            return false;
        Changed?.Invoke(new(id, JobRow.StateOf(state)));
        return true;
    }
}
