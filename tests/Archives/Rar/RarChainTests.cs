using NzbDav.Archives.Layouts;
using NzbDav.Archives.Rar;

namespace NzbDav.Archives.Tests.Rar;

/// <summary>Tens of thousands of volumes with meaningless names.</summary>
public sealed class RarChainTests
{
    [Fact]
    public void The_work_for_one_long_set_grows_linearly()
    {
        var (some, many) = (Run(Set(10_000, 1)), Run(Set(20_000, 1)));
        Assert.InRange(many, 1, some * 5 / 2);
    }

    [Fact]
    public void The_work_for_many_sets_grows_linearly()
    {
        var (some, many) = (Run(Set(10, 1_000)), Run(Set(10, 2_000)));
        Assert.InRange(many, 1, some * 5 / 2);
    }

    [Fact]
    public void The_work_for_volumes_without_any_order_grows_linearly()
    {
        var (some, many) = (Run(Set(10_000, 1, counted: false), ordered: false), Run(Set(20_000, 1, counted: false), ordered: false));
        Assert.InRange(many, 1, some * 5 / 2);
    }

    [Fact]
    public void Sets_posted_twice_are_assembled_once()
    {
        var volumes = Set(100, 20);
        var twice = volumes.Concat(Set(100, 20, first: volumes.Count)).ToList();
        var sets = new List<RarSet>();
        new RarChain(twice, []).Run(sets);
        Assert.Equal(4_000, sets.Sum(set => set.Volumes.Count + set.Others.Count));
        Assert.All(sets.Where(set => set.Refusal is null),
            set => Assert.Equal(Enumerable.Range(0, set.Volumes.Count), set.Volumes.Select(volume => volume.Place!.Value)));
    }

    private static long Run(List<RarVolume> volumes, bool ordered = true)
    {
        var chain = new RarChain(volumes, []);
        var sets = new List<RarSet>();
        chain.Run(sets);
        Assert.Equal(volumes.Count, sets.Sum(set => set.Volumes.Count));
        Assert.All(sets, set => Assert.Equal((false, !ordered), (set.Refusal is not null, set.Doubtful.Count > 0)));
        if (ordered)
            Assert.All(
                sets, set => Assert.Equal(Enumerable.Range(0, set.Volumes.Count), set.Volumes.Select(volume => volume.Place!.Value)));
        return chain.Comparisons;
    }

    /// <summary>RAR4 without numbers, shuffled: only the poster's count orders the volumes of a set.</summary>
    private static List<RarVolume> Set(int length, int sets, bool counted = true, int first = 0)
    {
        var volumes = new List<RarVolume>();
        for (var set = 0; set < sets; set++)
        {
            for (var place = 0; place < length; place++)
            {
                var volume = new RarVolume
                {
                    Index = first + ((set * length) + place) * 7919 % (sets * length),
                    Name = $"{set:x}noise{place:x}",
                    Length = 1000,
                    Format = ArchiveFormat.Rar4,
                    Place = counted ? place : null,
                    IsVolume = true,
                };
                volume.Files.Add(new RarFile
                {
                    Path = $"film{set}.mkv",
                    DataOffset = 100,
                    PackedSize = 800,
                    Size = 800L * length,
                    Crc32 = (uint)place,
                    SplitBefore = place > 0,
                    SplitAfter = place < length - 1,
                });
                volumes.Add(volume);
            }
        }

        volumes.Sort((a, b) => a.Index.CompareTo(b.Index));
        return volumes;
    }
}
