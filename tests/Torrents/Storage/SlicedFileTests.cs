using System.Globalization;
using System.Security.Cryptography;
using NzbDav.Torrents.Storage;

namespace NzbDav.Torrents.Tests.Storage;

/// <summary>How a piece gets into a file.</summary>
public sealed class SlicedFileTests : IDisposable
{
    private readonly string _path = Path.GetTempFileName();

    public void Dispose() => File.Delete(_path);

    [Theory]
    [InlineData(1)]
    [InlineData(SlicedFile.Slice)]
    [InlineData((1 << 20) + 5)]
    public void All_bytes_are_written_to_their_place(int size)
    {
        const int Offset = 12_345;
        var bytes = RandomNumberGenerator.GetBytes(size);
        using (var file = File.OpenHandle(_path, FileMode.Open, FileAccess.Write))
            SlicedFile.Write(file, bytes, Offset);
        var there = File.ReadAllBytes(_path);
        Assert.Equal(Offset + size, there.Length);
        Assert.Equal(SHA256.HashData(bytes), SHA256.HashData(there.AsSpan(Offset)));
        Assert.Equal(-1, there.AsSpan(0, Offset).IndexOfAnyExcept((byte)0));
    }

    [Fact]
    public void A_piece_is_written_in_several_calls_because_a_single_one_costs_four_times_as_much()
    {
        // The system's own count of this thread's calls is Linux's, and so is the reason.
        if (!OperatingSystem.IsLinux())
            return;
        using var file = File.OpenHandle(_path, FileMode.Open, FileAccess.Write);
        var bytes = new byte[1 << 20];
        SlicedFile.Write(file, bytes, 0);
        var before = Calls();
        SlicedFile.Write(file, bytes, 0);
        Assert.Equal(4, Calls() - before);
    }

    private static long Calls() => long.Parse(
        File.ReadLines("/proc/thread-self/io")
            .First(static line => line.StartsWith("syscw: ", StringComparison.Ordinal))[7..], CultureInfo.InvariantCulture);
}
