using BenchmarkDotNet.Running;
using NzbDav.Bench;

BenchmarkSwitcher.FromAssembly(typeof(Program).Assembly).Run(args, new ThroughputConfig());
return 0;
