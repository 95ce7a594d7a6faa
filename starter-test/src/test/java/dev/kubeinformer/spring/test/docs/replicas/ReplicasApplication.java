package dev.kubeinformer.spring.test.docs.replicas;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * The application whose tests are on the page.
 */
@SpringBootApplication
class ReplicasApplication {

}
