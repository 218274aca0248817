using BenchmarkDotNet.Attributes;
using NzbDav.Bench.Contract;

namespace NzbDav.Bench.Tests;

/// <summary>Benchmarks that keep or break the contract on purpose.</summary>
public static class Planted
{
    public class Frugal
    {
        [Benchmark]
        [AllocationBudget(0)]
        public int Count() => 1;

        [Benchmark]
        [AllocationBudget(0)]
        public Task Wait() => Task.CompletedTask;
    }

    public class Wasteful
    {
        [Benchmark]
        [AllocationBudget(999)]
        public byte[] Fill() => new byte[1000];
    }

    public class WastefulLater
    {
        [Benchmark]
        [AllocationBudget(999)]
        public async Task<byte[]> FillAsync()
        {
            await Task.Yield();
            return await Task.Run(() => new byte[1000]);
        }
    }

    /// <summary>An array of 1,000 bytes and its header for each unit, and one besides.</summary>
    public class PerUnit
    {
        [Params(2, 10)]
        public int Arrays { get; set; }

        [Benchmark]
        [AllocationBudget(1024, Per = nameof(Arrays), Once = 1024)]
        public object Enough() => Make(Arrays + 1);

        [Benchmark]
        [AllocationBudget(1024, Per = nameof(Arrays))]
        public object TooLittle() => Make(Arrays + 1);

        private static byte[] Make(int count)
        {
            var last = Array.Empty<byte>();
            for (var i = 0; i < count; i++)
                last = new byte[1000];
            return last;
        }
    }

    public class Silent
    {
        [Benchmark]
        public int Count() => 1;
    }

    public class Broken
    {
        [Benchmark]
        [AllocationBudget(0)]
        public int Count() => throw new InvalidOperationException("it broke");
    }

    public class Elsewhere
    {
        [Benchmark]
        [AllocationBudget(0)]
        public int Count() => throw new PlatformNotSupportedException();
    }

    /// <summary>Works only between its setup and its clean-up.</summary>
    public class Prepared
    {
        public static int Open { get; private set; }

        [GlobalSetup]
        public Task SetupAsync()
        {
            Open++;
            return Task.CompletedTask;
        }

        [GlobalCleanup]
        public void Cleanup() => Open--;

        [Benchmark]
        [AllocationBudget(0)]
        public int Count() => Open == 1 ? 1 : throw new InvalidOperationException("not prepared");
    }
}
