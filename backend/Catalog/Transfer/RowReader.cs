using System.Buffers.Binary;
using System.Data.Common;
using System.Security.Cryptography;
using System.Text;

namespace NzbDav.Catalog.Transfer;

/// <summary>Reads the rows of a table in order, and hashes them on the way.</summary>
internal sealed class RowReader : IAsyncDisposable
{
    private readonly IncrementalHash _hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
    private readonly TransferTable _table;
    private readonly DbCommand _command;
    private readonly DbDataReader _rows;

    private RowReader(TransferTable table, DbCommand command, DbDataReader rows) => (_table, _command, _rows) = (table, command, rows);

    /// <summary>Rows read so far.</summary>
    public long Count { get; private set; }

    /// <summary>Starts to read a table.</summary>
    public static async Task<RowReader> OpenAsync(DbConnection connection, TransferTable table, CancellationToken cancellationToken)
    {
        var command = connection.CreateCommand();
        try
        {
            command.CommandText = table.Select;
            return new RowReader(table, command, await command.ExecuteReaderAsync(cancellationToken));
        }
        catch
        {
            await command.DisposeAsync();
            throw;
        }
    }

    /// <summary>The next row, with values of the columns' kinds or null; null after the last row.</summary>
    public async ValueTask<object?[]?> NextAsync(CancellationToken cancellationToken)
    {
        if (!await _rows.ReadAsync(cancellationToken))
            return null;
        var values = new object?[_table.Columns.Count];
        for (var i = 0; i < values.Length; i++)
        {
            values[i] = Value(i);
            Add(values[i]);
        }

        Count++;
        return values;
    }

    /// <summary>Digest of the rows read so far; equal for rows with equal values.</summary>
    public TransferDigest Digest() => new(Count, Convert.ToHexStringLower(_hash.GetHashAndReset()));

    public async ValueTask DisposeAsync()
    {
        _hash.Dispose();
        await _rows.DisposeAsync();
        await _command.DisposeAsync();
    }

    private object? Value(int column) => _rows.IsDBNull(column) ? null : _table.Columns[column].Kind switch
    {
        TransferKind.Number => _rows.GetInt64(column),
        TransferKind.Fraction => _rows.GetDouble(column),
        TransferKind.Text => _rows.GetString(column),
        _ => _rows.GetFieldValue<byte[]>(column),
    };

    /// <summary>Hashes kind, length and value, so that no two rows hash the same bytes.</summary>
    private void Add(object? value)
    {
        Span<byte> number = stackalloc byte[9];
        switch (value)
        {
            case null:
                _hash.AppendData([0]);
                break;
            case long whole:
                number[0] = 1;
                BinaryPrimitives.WriteInt64LittleEndian(number[1..], whole);
                _hash.AppendData(number);
                break;
            case double fraction:
                number[0] = 2;
                BinaryPrimitives.WriteDoubleLittleEndian(number[1..], fraction);
                _hash.AppendData(number);
                break;
            case string text:
                Append(3, Encoding.UTF8.GetBytes(text));
                break;
            default:
                Append(4, (byte[])value);
                break;
        }
    }

    private void Append(byte kind, byte[] bytes)
    {
        Span<byte> head = stackalloc byte[9];
        head[0] = kind;
        BinaryPrimitives.WriteInt64LittleEndian(head[1..], bytes.Length);
        _hash.AppendData(head);
        _hash.AppendData(bytes);
    }
}

/// <summary>A digest of a table's rows.</summary>
/// <param name="Rows">Number of rows.</param>
/// <param name="Hash">SHA-256 over the rows, in the order of their key.</param>
internal readonly record struct TransferDigest(long Rows, string Hash);

/// <summary>A table of the catalog, the same in both engines.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Columns">Its columns.</param>
/// <param name="Key">The columns of its primary key, which orders rows the same everywhere.</param>
internal sealed record TransferTable(string Name, IReadOnlyList<TransferColumn> Columns, IReadOnlyList<string> Key)
{
    /// <summary>The column names, for a statement.</summary>
    public string List => string.Join(", ", Columns.Select(static column => $"\"{column.Name}\""));

    /// <summary>Reads all rows in the order of the key. Text compares byte by byte in both engines.</summary>
    public string Select => $"SELECT {List} FROM \"{Name}\" ORDER BY {string.Join(", ", Key.Select(static name => $"\"{name}\""))}";
}

/// <summary>A column of a <see cref="TransferTable"/>.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Kind">What it holds.</param>
internal readonly record struct TransferColumn(string Name, TransferKind Kind);

/// <summary>What a column holds.</summary>
internal enum TransferKind
{
    /// <summary>64-bit numbers.</summary>
    Number,

    /// <summary>Floating-point numbers.</summary>
    Fraction,

    /// <summary>Text.</summary>
    Text,

    /// <summary>Bytes.</summary>
    Bytes,
}
