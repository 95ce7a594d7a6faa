package com.example.fleetview;

import java.util.SortedMap;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import dev.kubeinformer.types.InformerState;

/**
 * Serves the fleet as JSON, also to the page.
 */
@RestController
class FleetController {

	private final Fleet fleet;

	FleetController(Fleet fleet) {
		this.fleet = fleet;
	}

	@GetMapping("/fleet")
	View fleet() {
		return new View(this.fleet.states(), this.fleet.applications());
	}

	/**
	 * Response of the endpoint.
	 *
	 * @param clusters the state of each cluster
	 * @param applications the Deployments by namespace and name
	 */
	record View(SortedMap<String, InformerState> clusters, SortedMap<String, Fleet.Application> applications) {

	}

}
