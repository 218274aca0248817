using BenchmarkDotNet.Running;
using NzbDav.Bench.Columns;
using NzbDav.Bench.Contract;

// Checks only allocations, in seconds: fails if a benchmark allocates more than its budget.
if (args is ["--contract", .. var filter])
    return await new ContractRunner(Console.Out).RunAsync(ContractRunner.Of(typeof(Program).Assembly)
        .Where(type => filter.Length == 0 || filter.Contains(type.Name, StringComparer.Ordinal)));
BenchmarkSwitcher.FromAssembly(typeof(Program).Assembly).Run(args, new BenchConfig());
return 0;
