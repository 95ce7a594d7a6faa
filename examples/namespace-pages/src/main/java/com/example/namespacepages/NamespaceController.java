package com.example.namespacepages;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.springframework.http.HttpStatus;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestClientException;
import org.springframework.web.server.ResponseStatusException;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerStatus;
import dev.kubeinformer.shard.ShardMember;
import dev.kubeinformer.shard.Shards;

/**
 * Serves the page of any namespace, on every replica: a replica that does not have the
 * objects of the namespace sends the request on to the one that has them.
 */
@RestController
class NamespaceController {

	private final Shards shards;

	private final Informer<V1ConfigMap> informer;

	private final Lister<V1ConfigMap> configMaps;

	private final RestClient others;

	NamespaceController(Shards shards, Informer<V1ConfigMap> informer, Lister<V1ConfigMap> configMaps) {
		this.shards = shards;
		this.informer = informer;
		this.configMaps = configMaps;
		JdkClientHttpRequestFactory requests = new JdkClientHttpRequestFactory(
				HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build());
		requests.setReadTimeout(Duration.ofSeconds(5));
		this.others = RestClient.builder().requestFactory(requests).build();
	}

	/**
	 * Returns the page of a namespace.
	 * @param namespace the name of the namespace
	 * @param forwarded whether another replica has sent the request on; such a request is
	 * not sent on again, because two replicas may disagree while a slot moves
	 */
	@GetMapping("/namespaces/{namespace}")
	NamespacePage page(@PathVariable String namespace, @RequestParam(defaultValue = "false") boolean forwarded) {
		// Objects are divided by namespace, so their UID does not matter.
		int slot = this.shards.division().slotOf(namespace, null);
		if (this.shards.owns(slot) && isListed(slot)) {
			return own(namespace);
		}
		ShardMember owner = this.shards.ownerOf(slot);
		if (forwarded || owner == null || owner.self()) {
			throw new ResponseStatusException(HttpStatus.SERVICE_UNAVAILABLE,
					"The objects of '%s' are moving to another replica; try again".formatted(namespace));
		}
		return ask(owner, namespace);
	}

	/**
	 * Returns whether the cache has the objects of a slot. A replica owns a slot before
	 * its cache has listed it.
	 */
	private boolean isListed(int slot) {
		InformerStatus.Sharding sharding = this.informer.status().sharding();
		// Without slots that move, the cache has everything that this replica owns.
		return sharding == null || sharding.slots() == null || sharding.listed().contains(slot);
	}

	private NamespacePage own(String namespace) {
		List<String> names = this.configMaps.namespace(namespace)
			.list()
			.stream()
			.map((map) -> map.getMetadata().getName())
			.sorted()
			.toList();
		return new NamespacePage(namespace, name(), names);
	}

	private NamespacePage ask(ShardMember owner, String namespace) {
		try {
			return this.others.get()
				.uri("http://" + owner.name() + "/namespaces/{namespace}?forwarded=true", namespace)
				.retrieve()
				.body(NamespacePage.class);
		}
		catch (RestClientException | IllegalArgumentException ex) {
			// The name of a replica need not be an address.
			throw new ResponseStatusException(HttpStatus.SERVICE_UNAVAILABLE,
					"Replica '%s' does not respond; try again".formatted(owner.name()), ex);
		}
	}

	/**
	 * Returns the number of slots of each replica.
	 */
	@GetMapping("/replicas")
	Map<String, Integer> replicas() {
		Map<String, Integer> slots = new TreeMap<>();
		this.shards.members().forEach((member) -> slots.put(member.name(), member.slots().size()));
		return slots;
	}

	private String name() {
		return this.shards.members().stream().filter(ShardMember::self).findFirst().map(ShardMember::name).orElse("");
	}

}
