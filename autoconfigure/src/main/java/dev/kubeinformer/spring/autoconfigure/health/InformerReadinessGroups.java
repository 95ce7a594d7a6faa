package dev.kubeinformer.spring.autoconfigure.health;

import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.web.AdditionalPathsMapper;
import org.springframework.boot.actuate.endpoint.web.WebServerNamespace;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroup;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroups;

/**
 * Health groups of which the readiness group is replaced. It maps additional paths like
 * the groups behind it, so that {@code /readyz} stays.
 */
final class InformerReadinessGroups implements HealthEndpointGroups, AdditionalPathsMapper {

	static final String READINESS = "readiness";

	private final HealthEndpointGroups delegate;

	private final HealthEndpointGroup readiness;

	InformerReadinessGroups(HealthEndpointGroups delegate, HealthEndpointGroup readiness) {
		this.delegate = delegate;
		this.readiness = readiness;
	}

	@Override
	public HealthEndpointGroup getPrimary() {
		return this.delegate.getPrimary();
	}

	@Override
	public Set<String> getNames() {
		return this.delegate.getNames();
	}

	@Override
	public @Nullable HealthEndpointGroup get(String name) {
		return name.equals(READINESS) ? this.readiness : this.delegate.get(name);
	}

	@Override
	public @Nullable List<String> getAdditionalPaths(EndpointId endpointId, WebServerNamespace webServerNamespace) {
		return (this.delegate instanceof AdditionalPathsMapper mapper)
				? mapper.getAdditionalPaths(endpointId, webServerNamespace) : null;
	}

}
