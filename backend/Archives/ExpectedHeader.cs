using NzbDav.Archives.Rar;

namespace NzbDav.Archives;

/// <summary>What the headers of a volume must be for a reckoned layout to be true. Immutable, thread-safe.</summary>
public sealed class ExpectedHeader
{
    private readonly RarVolume _expected;
    private readonly RarKeyring _keyring;

    internal ExpectedHeader(RarVolume expected, RarKeyring keyring)
    {
        _expected = expected;
        _keyring = keyring;
    }

    /// <summary>Index of the volume in the list given to <see cref="ArchiveReader"/>.</summary>
    public int Volume => _expected.Index;

    /// <summary>Bytes at the volume's beginning that <see cref="AgreesAsync"/> needs: the data begin there.</summary>
    public int HeaderLength => (int)Math.Min(int.MaxValue, _expected.Files[0].DataOffset);

    /// <summary>Tells whether a volume that begins with these bytes is laid out as was reckoned. Fetches nothing.</summary>
    /// <param name="head">The volume's first bytes, at least <see cref="HeaderLength"/>; fewer never agree.</param>
    public async ValueTask<bool> AgreesAsync(ReadOnlyMemory<byte> head)
    {
        var known = new ArchiveVolume(new UnreadContent(_expected.Length), _expected.Name) { Head = head };
        var window = new VolumeWindow(known, Content.ReadIntent.Probe);
        var read = await RarVolumeReader.ReadAsync(window, _expected.Index, _keyring, toTheEnd: false, CancellationToken.None);
        return RarReckoner.Agrees(_expected, read);
    }
}
