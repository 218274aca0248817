using System.Buffers;
using System.Buffers.Binary;
using System.Data;
using System.Globalization;
using Dapper;
using Npgsql;
using NpgsqlTypes;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Database.Postgres;

namespace NzbDav.Catalog.Blobs;

/// <summary>
/// Blob files as rows of a PostgreSQL database, on separate connections, because transfers take longer than statements. The row of a blob
/// appears together with all its pieces, or not at all. Thread-safe.
/// </summary>
internal sealed class BlobRows(PostgresEngine engine, TimeProvider time)
{
    /// <summary>Bytes of a piece. Larger pieces save nothing, and client and server hold each in memory.</summary>
    internal const int PieceSize = 256 << 10;

    /// <summary>First key of the advisory locks that keep two gateways from uploading the same blob: the ASCII letters of "blob".</summary>
    private const int UploadLock = 0x626C_6F62;

    /// <summary>
    /// Called before each step of a transfer with the process id of the connection on the server: lets tests interrupt it there.
    /// </summary>
    internal Action<string, int>? BeforeStep { get; set; }

    /// <summary>Records that a blob was put again.</summary>
    /// <returns>False if there is none with this length.</returns>
    /// <exception cref="CatalogException">The database cannot be reached or written.</exception>
    public Task<bool> TouchAsync(BlobHash hash, long length, CancellationToken cancellationToken) => RunAsync(
        engine.BlobStores,
        async connection => await TouchAsync(connection, hash, length, cancellationToken),
        cancellationToken);

    /// <summary>Stores a file, unless another gateway stores it meanwhile. Durable when the task completes.</summary>
    /// <param name="blob">The address and length of its content.</param>
    /// <param name="file">The file; read from its beginning.</param>
    /// <param name="cancellationToken">Cancels the operation; nothing is stored.</param>
    /// <exception cref="CatalogException">The database cannot be reached or written.</exception>
    public Task StoreAsync(StoredBlob blob, Stream file, CancellationToken cancellationToken) => RunAsync(
        engine.BlobStores,
        async connection =>
        {
            await using var transaction = await connection.BeginTransactionAsync(IsolationLevel.ReadCommitted, cancellationToken);
            var text = blob.Hash.ToString();
            var part = BinaryPrimitives.ReadInt32BigEndian(Convert.FromHexString(text.AsSpan(0, 8)));
            await connection.ExecuteAsync(
                Command("SELECT pg_advisory_xact_lock(@UploadLock, @part)", new { UploadLock, part }, cancellationToken));
            if (!await TouchAsync(connection, blob.Hash, blob.Length, cancellationToken))
            {
                // A row with this address and another length would be damaged.
                await connection.ExecuteAsync(Command("DELETE FROM blobs WHERE hash = @text", new { text }, cancellationToken));
                var size = await CopyAsync(connection, text, file, cancellationToken);
                BeforeStep?.Invoke("head", connection.ProcessID);
                await connection.ExecuteAsync(Command(
                    "INSERT INTO blobs (hash, length, size, touched) VALUES (@text, @Length, @size, @now)",
                    new { text, blob.Length, size, now = time.GetUtcNow().UtcTicks },
                    cancellationToken));
            }

            BeforeStep?.Invoke("commit", connection.ProcessID);
            await transaction.CommitAsync(cancellationToken);
            return true;
        },
        cancellationToken);

    /// <summary>Writes the file of a blob into <paramref name="target"/>.</summary>
    /// <returns>False if there is no such blob.</returns>
    /// <exception cref="CatalogException">The database cannot be reached, or pieces are missing.</exception>
    public Task<bool> FetchAsync(BlobHash hash, FileStream target, CancellationToken cancellationToken) => RunAsync(
        engine.BlobFetches,
        async connection =>
        {
            BeforeStep?.Invoke("fetch", connection.ProcessID);
            target.SetLength(0);
            await using var command = new NpgsqlCommand(
                "SELECT b.size, c.bytes FROM blobs AS b JOIN blob_chunks AS c ON c.hash = b.hash WHERE b.hash = @hash ORDER BY c.number",
                connection);
            command.Parameters.AddWithValue("hash", hash.ToString());
            await using var rows = await command.ExecuteReaderAsync(CommandBehavior.SequentialAccess, cancellationToken);
            var size = -1L;
            while (await rows.ReadAsync(cancellationToken))
            {
                size = rows.GetInt64(0);
                await using var bytes = await rows.GetStreamAsync(1, cancellationToken);
                await bytes.CopyToAsync(target, cancellationToken);
            }

            if (size < 0)
                return false;
            return target.Length == size ? true : throw BlobReadStream.Damaged(
                hash, string.Create(CultureInfo.InvariantCulture, $"the database has {target.Length} of its {size} bytes"), inner: null);
        },
        cancellationToken);

    private async Task<bool> TouchAsync(NpgsqlConnection connection, BlobHash hash, long length, CancellationToken cancellationToken) =>
        await connection.ExecuteAsync(Command(
            "UPDATE blobs SET touched = @now, expires = NULL WHERE hash = @hash AND length = @length",
            new { now = time.GetUtcNow().UtcTicks, hash = hash.ToString(), length },
            cancellationToken)) > 0;

    /// <returns>Bytes of the file.</returns>
    private async Task<long> CopyAsync(NpgsqlConnection connection, string hash, Stream file, CancellationToken cancellationToken)
    {
        file.Position = 0;
        var buffer = ArrayPool<byte>.Shared.Rent(PieceSize);
        try
        {
            await using var copy = await connection.BeginBinaryImportAsync(
                "COPY blob_chunks (hash, number, bytes) FROM STDIN (FORMAT BINARY)", cancellationToken);
            var number = 0L;
            int read;
            while ((read = await file.ReadAtLeastAsync(
                buffer.AsMemory(0, PieceSize), PieceSize, throwOnEndOfStream: false, cancellationToken)) > 0)
            {
                BeforeStep?.Invoke("piece", connection.ProcessID);
                await copy.StartRowAsync(cancellationToken);
                await copy.WriteAsync(hash, NpgsqlDbType.Text, cancellationToken);
                await copy.WriteAsync(number++, NpgsqlDbType.Bigint, cancellationToken);
                await copy.WriteAsync(buffer.AsMemory(0, read), NpgsqlDbType.Bytea, cancellationToken);
            }

            await copy.CompleteAsync(cancellationToken);
            return file.Position;
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    /// <summary>Runs <paramref name="work"/> in a slot; again if an idle connection turns out to be lost.</summary>
    private async Task<T> RunAsync<T>(SemaphoreSlim turns, Func<NpgsqlConnection, Task<T>> work, CancellationToken cancellationToken)
    {
        await turns.WaitAsync(cancellationToken);
        try
        {
            for (var left = PostgresEngine.MostBlobConnections; ; left--)
            {
                await using var connection = await engine.OpenForBlobsAsync(cancellationToken);
                try
                {
                    return await work(connection);
                }
                catch (Exception error) when (left > 0 && engine.IsLost(error))
                {
                    // The server was restarted meanwhile. Each idle connection is tried once.
                }
            }
        }
        catch (Exception error)
        {
            if (engine.Translate(error) is { } known)
                throw known;
            throw;
        }
        finally
        {
            turns.Release();
        }
    }

    private static CommandDefinition Command(string sql, object parameters, CancellationToken cancellationToken) =>
        new(sql, parameters, cancellationToken: cancellationToken);
}
