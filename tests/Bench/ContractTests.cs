using System.Text.RegularExpressions;
using BenchmarkDotNet.Attributes;
using NzbDav.Bench.Contract;

namespace NzbDav.Bench.Tests;

/// <summary>Tests of the budget contract. All in one class, so that no other test allocates at the same time.</summary>
public sealed class ContractTests
{
    [Fact]
    public async Task A_benchmark_that_allocates_nothing_keeps_a_budget_of_zero()
    {
        var (code, said) = await RunAsync(typeof(Planted.Frugal));

        Assert.True(code == 0, said);
        Assert.Contains("2 budgets kept, 0 broken", said, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Allocations_over_budget_are_found_and_named()
    {
        var (code, said) = await RunAsync(typeof(Planted.Frugal), typeof(Planted.Wasteful));

        Assert.Equal(1, code);
        Assert.Contains("OVER  Wasteful.Fill: allocates 1,024 bytes a call, its budget is 999.", said, StringComparison.Ordinal);
        Assert.Contains("2 budgets kept, 1 broken", said, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Allocations_over_budget_on_another_thread_are_found_and_named()
    {
        var (code, said) = await RunAsync(typeof(Planted.WastefulLater));

        Assert.Equal(1, code);
        Assert.Contains("OVER  WastefulLater.FillAsync: allocates 1,", said, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_budget_grows_with_its_unit()
    {
        var (code, said) = await RunAsync(typeof(Planted.PerUnit));

        Assert.Equal(1, code);
        Assert.Contains("OVER  PerUnit.TooLittle(Arrays=2): allocates 3,072 bytes a call, its budget is 2,048 (1024 for each of 2 Arrays).",
            said, StringComparison.Ordinal);
        Assert.Contains(
            "OVER  PerUnit.TooLittle(Arrays=10): allocates 11,264 bytes a call, its budget is 10,240 (1024 for each of 10 Arrays).", said,
            StringComparison.Ordinal);
        Assert.Contains("2 budgets kept, 2 broken", said, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_benchmark_without_a_budget_breaks_the_contract()
    {
        var (code, said) = await RunAsync(typeof(Planted.Silent));

        Assert.Equal(1, code);
        Assert.Contains("OVER  Silent.Count: declares no budget", said, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_benchmark_that_fails_breaks_the_contract()
    {
        var (code, said) = await RunAsync(typeof(Planted.Broken));

        Assert.Equal(1, code);
        Assert.Contains("OVER  Broken.Count: could not be run: InvalidOperationException: it broke", said, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Missing_processor_features_are_reported_without_failing()
    {
        var (code, said) = await RunAsync(typeof(Planted.Elsewhere), typeof(Planted.Frugal));

        Assert.Equal(0, code);
        Assert.Matches(@"Elsewhere\.Count +- +not on this processor", said);
    }

    [Fact]
    public async Task A_run_without_measurements_fails()
    {
        var (code, said) = await RunAsync(typeof(Planted.Elsewhere));

        Assert.Equal(1, code);
        Assert.Contains("nothing was measured", said, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Setup_and_clean_up_are_run()
    {
        var (code, said) = await RunAsync(typeof(Planted.Prepared));

        Assert.True(code == 0, said);
        Assert.Equal(0, Planted.Prepared.Open);
    }

    [Fact]
    public void Every_benchmark_of_the_project_declares_a_budget()
    {
        var benchmarks = ContractRunner.Of(typeof(ContractRunner).Assembly)
            .SelectMany(type => type.GetMethods().Where(method => method.IsDefined(typeof(BenchmarkAttribute), inherit: true))).ToArray();

        Assert.True(benchmarks.Length >= 12, $"{benchmarks.Length} benchmarks");
        Assert.Empty(benchmarks.Where(method => !method.IsDefined(typeof(AllocationBudgetAttribute), inherit: true))
            .Select(method => $"{method.DeclaringType!.Name}.{method.Name}"));
    }

    /// <summary>
    /// The benchmarks of the path from an article to a player really do their work: each is run once here, besides the contract.
    /// </summary>
    [Theory]
    [InlineData(typeof(FileGetting), 2)]
    [InlineData(typeof(ListingWriting), 2)]
    [InlineData(typeof(SegmentReading), 2)]
    [InlineData(typeof(ExtentLookup), 2)]
    [InlineData(typeof(NzbReading), 2)]
    public async Task A_benchmark_of_the_project_can_be_run(Type type, int cases)
    {
        var (_, said) = await RunAsync(type);

        Assert.DoesNotContain("could not be run", said, StringComparison.Ordinal);
        Assert.Equal(cases, Regex.Count(said, $@"^{type.Name}\.", RegexOptions.Multiline));
    }

    private static async Task<(int Code, string Said)> RunAsync(params Type[] types)
    {
        var output = new StringWriter();
        var code = await new ContractRunner(output).RunAsync(types);
        return (code, output.ToString());
    }
}
