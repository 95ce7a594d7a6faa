package dev.kubeinformer.internal.codec.json;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.internal.codec.MalformedResponseException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Lists and events of Leases.
 */
class LeaseListDocumentTests {

	private static final String LEASE = "{\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"7\"},\"spec\":{\"holderIdentity\":\"x\"}}";

	private static LeaseListDocument list(String json) throws MalformedResponseException {
		return LeaseListDocument.read(json.getBytes(StandardCharsets.UTF_8));
	}

	@Test
	void listHasItsVersionAndAllLeases() throws MalformedResponseException {
		LeaseListDocument list = list("{\"metadata\":{\"resourceVersion\":\"9\"},\"items\":[" + LEASE + "]}");
		assertThat(list.resourceVersion()).isEqualTo("9");
		assertThat(list.leases()).singleElement().satisfies((lease) -> {
			assertThat(lease.name()).isEqualTo("a");
			assertThat(lease.record().holder()).isEqualTo("x");
			assertThat(lease.annotation("k")).isEmpty();
			assertThat(lease.withAnnotation("k", "v").annotation("k")).isEqualTo("v");
		});
		assertThat(list("{\"metadata\":{\"resourceVersion\":\"9\"}}").leases()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "[", "{}", "null", "{\"metadata\":{\"resourceVersion\":\"9\",\"continue\":\"x\"}}",
			"{\"metadata\":{\"resourceVersion\":\"9\"},\"items\":[{}]}" })
	void listThatMayLackLeasesIsNone(String json) {
		assertThatExceptionOfType(MalformedResponseException.class).isThrownBy(() -> list(json));
	}

	@Test
	void deletedLeaseComesWithItsLastState() throws MalformedResponseException {
		LeaseWatchEvent event = LeaseWatchEvent.read("{\"type\":\"DELETED\",\"object\":" + LEASE + "}");
		assertThat(event.type()).isEqualTo(LeaseWatchEvent.Type.DELETED);
		assertThat(event.lease().resourceVersion()).isEqualTo("7");
		assertThat(LeaseWatchEvent.read("{\"type\":\"ADDED\",\"object\":" + LEASE + "}").type())
			.isEqualTo(LeaseWatchEvent.Type.CHANGED);
		assertThat(LeaseWatchEvent.read("{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{\"resourceVersion\":\"8\"}}}")
			.lease()
			.resourceVersion()).isEqualTo("8");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "{}", "{\"type\":\"ERROR\",\"object\":{\"code\":410}}",
			"{\"type\":\"MODIFIED\",\"object\":{}}" })
	void otherEventsEndTheWatch(String json) {
		assertThatExceptionOfType(MalformedResponseException.class).isThrownBy(() -> LeaseWatchEvent.read(json));
	}

}
