package dev.kubeinformer;

import java.util.concurrent.atomic.AtomicInteger;

import io.kubernetes.client.informer.cache.Caches;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.kubeinformer.informer.Informer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests of views that call an integration before each read.
 */
class InformerViewTests {

	private final Informers informers = Informers.builder(new ApiClient()).build();

	private final Informer<V1Pod> shared = this.informers.informer(V1Pod.class);

	@ParameterizedTest
	@EnumSource(Read.class)
	void eachReadShouldBeAnnounced(Read read) {
		AtomicInteger reads = new AtomicInteger();
		read.of(this.informers.view(this.shared, false, reads::incrementAndGet));
		assertThat(reads).hasValue(1);
		read.of(this.shared);
		read.of(this.informers.view(this.shared, false));
		assertThat(reads).hasValue(1);
	}

	@ParameterizedTest
	@EnumSource(Read.class)
	void readShouldBeRejected(Read read) {
		Informer<V1Pod> view = this.informers.view(this.shared, false, () -> {
			throw new IllegalStateException("not yet");
		});
		assertThatIllegalStateException().isThrownBy(() -> read.of(view)).withMessage("not yet");
	}

	@Test
	void statusShouldNotBeARead() {
		Informer<V1Pod> view = this.informers.view(this.shared, false, () -> {
			throw new IllegalStateException();
		});
		assertThat(view.hasSynced()).isFalse();
		assertThat(view.status().sync().everSynced()).isFalse();
		assertThat(view.lastSyncResourceVersion()).isEmpty();
		assertThat(view.getIndexer().getIndexers()).isNotEmpty();
		assertThat(view.quarantined().problems()).isEmpty();
	}

	enum Read {

		SNAPSHOT, LIST, GET, NAMESPACE_LIST, NAMESPACE_GET, INDEXER_LIST, INDEXER_KEYS, INDEXER_BY_KEY, INDEXER_GET,
		INDEXER_BY_INDEX, INDEXER_INDEX_KEYS, INDEXER_INDEX;

		private void of(Informer<V1Pod> informer) {
			V1Pod pod = new V1Pod().metadata(new V1ObjectMeta().namespace("web").name("a"));
			switch (this) {
				case SNAPSHOT -> informer.snapshot();
				case LIST -> informer.lister().list();
				case GET -> informer.lister().get("web/a");
				case NAMESPACE_LIST -> informer.lister().namespace("web").list();
				case NAMESPACE_GET -> informer.lister().namespace("web").get("a");
				case INDEXER_LIST -> informer.getIndexer().list();
				case INDEXER_KEYS -> informer.getIndexer().listKeys();
				case INDEXER_BY_KEY -> informer.getIndexer().getByKey("web/a");
				case INDEXER_GET -> informer.getIndexer().get(pod);
				case INDEXER_BY_INDEX -> informer.getIndexer().byIndex(Caches.NAMESPACE_INDEX, "web");
				case INDEXER_INDEX_KEYS -> informer.getIndexer().indexKeys(Caches.NAMESPACE_INDEX, "web");
				case INDEXER_INDEX -> informer.getIndexer().index(Caches.NAMESPACE_INDEX, pod);
			}
		}

	}

}
