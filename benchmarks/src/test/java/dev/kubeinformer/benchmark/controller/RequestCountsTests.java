package dev.kubeinformer.benchmark.controller;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RequestCountsTests {

	private static final String METRICS = """
			# TYPE apiserver_request_total counter
			apiserver_request_total{code="200",component="apiserver",resource="configmaps",verb="APPLY"} 3
			apiserver_request_total{code="201",component="apiserver",resource="configmaps",verb="APPLY"} %d
			apiserver_request_total{code="200",component="apiserver",resource="widgets",verb="LIST"} %d
			apiserver_request_total{code="200",component="apiserver",resource="leases",verb="PUT"} 70
			apiserver_response_sizes_count{resource="configmaps",verb="APPLY"} 1000
			""";

	@Test
	void countsShouldBeSummedByVerbAndResource() {
		RequestCounts counts = parse(20_000, 1);
		assertThat(counts.counts()).isEqualTo(Map.of("APPLY configmaps", 20_003L, "LIST widgets", 1L));
		assertThat(counts.writes()).isEqualTo(20_003);
		assertThat(counts.reads()).isEqualTo(1);
	}

	@Test
	void eventsShouldBeNoWrites() {
		RequestCounts counts = RequestCounts.parse(
				METRICS.formatted(2, 4).replace("widgets\",verb=\"LIST", "events\",verb=\"POST"),
				List.of("configmaps", "events"));
		assertThat(counts.writes()).isEqualTo(5);
		assertThat(counts.reads()).isZero();
	}

	@Test
	void sinceShouldLeaveOutWhatDidNotChange() {
		RequestCounts added = parse(25, 4).since(parse(20, 4));
		assertThat(added.counts()).isEqualTo(Map.of("APPLY configmaps", 5L));
	}

	private static RequestCounts parse(int applied, int listed) {
		return RequestCounts.parse(METRICS.formatted(applied, listed), List.of("configmaps", "widgets"));
	}

}
